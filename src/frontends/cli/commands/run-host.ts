import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { type ChannelName, checkDescriptors } from '../../host/check-descriptors.ts';
import { bootstrapVariable, readBootstrap } from '../../host/read-bootstrap.ts';
import { makeOffer } from '../../mcp/offer.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { printFailure } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type HostCommand = Extract<CommandLine, { readonly kind: 'host' }>;

/**
 * Runs `lspan host` until the program that started it goes; returns the exit code. Invalid input of that program ends
 * this at once with 1, since there is no agent that could report it.
 */
export async function runHost({ flags }: HostCommand, context: ProcessContext): Promise<number> {
  const bootstrap = context.environment[bootstrapVariable];
  // No server may inherit it.
  delete process.env[bootstrapVariable];
  const channels = channelsOf(flags);
  const { surface: name = 'llxprt' } = flags;
  checkNames(catalogue, { surface: name, toolsets: flags.toolset }, 'host');
  const surface = catalogue.find((one) => one.name === name);
  if (!surface) throw usageError(`Unknown surface ${name}.`, 'host');
  return host({ flags, bootstrap, channels, surface }, context).catch((thrown) => {
    printFailure(thrown);
    return 1;
  });
}

interface HostOptions {
  readonly flags: Flags;
  readonly bootstrap: string | undefined;
  readonly channels: readonly ChannelName[];
  readonly surface: CatalogueSurface;
}

async function host(
  { flags, bootstrap, channels: wanted, surface }: HostOptions,
  context: ProcessContext,
): Promise<number> {
  const read = resultOrError(() => bootstrapOf(flags, bootstrap));
  const isWithoutTools = !(read instanceof LspanError) && !read.tools;
  const channels = isWithoutTools ? channelsOf({ ...flags, noMcp: true }) : wanted;
  checkDescriptors(channels);
  if (read instanceof LspanError) throw read;
  const { workspace, configValue } = read;
  // RPC always uses the names of the surface lspan.
  const options = { surface: 'lspan', survivesFaults: false, ...(configValue && { configValue }) };
  const { close, ...settings } = await readSettings({ ...flags, workspace }, options, context);
  if (settings.roots.length === 0) throw noWorkspace();
  checkNames(catalogue, { surface: surface.name, toolsets: settings.toolsets }, 'host');
  const offer = makeOffer(surface, settings);
  const { serveHost } = await import('../../host/serve-host.ts');
  // The folders are fixed, and the bridge opens before the first client.
  const fixed = { rootsFromClient: false, startsEarly: false };
  return await serveHost({ ...settings, ...fixed, offer, channels }).finally(close);
}

function channelsOf({ noMcp, noRpc }: Flags): readonly ChannelName[] {
  if (noMcp && noRpc)
    throw usageError('--no-mcp and --no-rpc leave nothing to serve. Give only one of them.', 'host');
  return [...(noRpc ? [] : (['rpc'] as const)), ...(noMcp ? [] : (['mcp'] as const))];
}

/** Reads workspace and configuration from the flags or the variable; never both, since one would be ignored. */
function bootstrapOf(flags: Flags, bootstrap: string | undefined) {
  if (bootstrap === undefined) return { workspace: flags.workspace, tools: true };
  const flag =
    flags.workspace.length > 0 ? '--workspace' : flags.config === undefined ? undefined : '--config';
  if (flag !== undefined)
    throw new LspanError(
      'invalid_input',
      `${flag} and ${bootstrapVariable} are both given. Give one of them.`,
      {
        nextStep: `Give ${flag} or ${bootstrapVariable}.`,
      },
    );
  const { workspaceRoot, config, tools } = readBootstrap(bootstrap);
  return { workspace: [workspaceRoot], configValue: config, tools };
}

function noWorkspace(): LspanError {
  const nextStep = `Give --workspace DIR or ${bootstrapVariable}, or start lspan in a project folder.`;
  return new LspanError('invalid_input', `No workspace is known. ${nextStep}`, { nextStep });
}
