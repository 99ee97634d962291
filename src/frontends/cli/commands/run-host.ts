import { LspanError } from '../../../core/errors.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { CatalogueSurface } from '../../../surfaces/catalogue-fields.ts';
import { type ChannelName, checkDescriptors } from '../../host/check-descriptors.ts';
import { bootstrapVariable, readBootstrap } from '../../host/read-bootstrap.ts';
import { makeOffer } from '../../mcp/offer.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { printFailure } from '../print-failure.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type Hosting = Extract<CommandLine, { readonly kind: 'host' }>;

/**
 * Serves the program that started lspan until it goes; returns the exit code. What that program gave and cannot be used
 * ends this at once with 1, since no agent is there to be told.
 */
export async function runHost({ flags }: Hosting, around: ProcessContext): Promise<number> {
  const bootstrap = around.environment[bootstrapVariable];
  // It is for lspan alone: no server inherits it.
  delete process.env[bootstrapVariable];
  const channels = channelsOf(flags);
  const { surface: name = 'llxprt' } = flags;
  checkNames(catalogue, { surface: name, toolsets: flags.toolset }, 'host');
  const surface = catalogue.find((one) => one.name === name);
  if (!surface) throw usageError(`Unknown surface ${name}.`, 'host');
  return host({ flags, bootstrap, channels, surface }, around).catch((thrown) => {
    printFailure(thrown);
    return 1;
  });
}

interface Given {
  readonly flags: Flags;
  readonly bootstrap: string | undefined;
  readonly channels: readonly ChannelName[];
  readonly surface: CatalogueSurface;
}

async function host({ flags, bootstrap, channels, surface }: Given, around: ProcessContext): Promise<number> {
  checkDescriptors(channels);
  const { workspace, configValue } = bootOf(flags, bootstrap);
  // RPC has the names of the surface lspan, and says so where others are meant.
  const choices = { surface: 'lspan', survivesFaults: false, ...(configValue && { configValue }) };
  const prepared = await readSettings({ ...flags, workspace }, choices, around);
  if (prepared.roots.length === 0) throw noWorkspace();
  checkNames(catalogue, { surface: surface.name, toolsets: prepared.toolsets }, 'host');
  const { close, ...settings } = prepared;
  const offer = makeOffer(surface, settings);
  const { serveHost } = await import('../../host/serve-host.ts');
  // The folders are fixed, and the bridge opens before anybody is served.
  const fixed = { rootsFromClient: false, startsEarly: false };
  return await serveHost({ ...settings, ...fixed, offer, channels }).finally(close);
}

function channelsOf({ noMcp, noRpc }: Flags): readonly ChannelName[] {
  if (noMcp && noRpc)
    throw usageError('--no-mcp and --no-rpc leave nothing to serve. Give one of them at most.', 'host');
  return [...(noRpc ? [] : (['rpc'] as const)), ...(noMcp ? [] : (['mcp'] as const))];
}

/** Where to work and how, from the flags or from the variable, never from both: one of them would be overlooked. */
function bootOf(flags: Flags, bootstrap: string | undefined) {
  if (bootstrap === undefined) return { workspace: flags.workspace };
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
  const { workspaceRoot, config } = readBootstrap(bootstrap);
  return { workspace: [workspaceRoot], configValue: config };
}

function noWorkspace(): LspanError {
  const nextStep = `Give --workspace DIR or ${bootstrapVariable}, or start lspan in a project folder.`;
  return new LspanError('invalid_input', `No workspace is known. ${nextStep}`, { nextStep });
}
