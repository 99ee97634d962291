import { findProgram, programInPath } from './backends/lsp/process/find-program.ts';
import { projectFacts } from './backends/lsp/session/project-facts.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { type ListedServer, listServers } from './config/servers/list-servers.ts';
import { mergeDefinitions } from './config/servers/merge-definition.ts';
import { stateFolder } from './config/state-folder.ts';
import { concernsTrust } from './config/trust/current-trust.ts';
import { trustOffer } from './config/trust/trust-offer.ts';
import type { TrustOffer } from './config/trust/write-trust.ts';
import { LspanError } from './core/errors.ts';
import { resultOrError } from './core/runtime/result.ts';
import { untrusted } from './core/trust.ts';
import { openEdits } from './edits/open-edits.ts';
import type { Edit } from './edits/plan.ts';
import { effectiveConfig } from './effective-config.ts';
import { TemporaryFolder } from './platform/files/private-folder.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { servers } from './servers/index.ts';
import { languageOf } from './servers/language-of.ts';
import { noWorkspace } from './workspace/no-workspace.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import { fingerprint } from './workspace/texts/fingerprint.ts';
import { listTree } from './workspace/texts/list-tree.ts';

/** Returns the configuration and the servers that it selects, without opening or starting anything. */
export function inspectConfig(settings: Omit<BridgeSettings, 'surface'>): {
  readonly config: Config;
  readonly servers: readonly ListedServer[];
} {
  const { roots, environment = process.env } = settings;
  const config = effectiveConfig(settings);
  const find = ({ id, install, program }: ServerDefinition) =>
    resultOrError(() => findProgram(program.sources, { server: id, install, roots, environment }));
  return { config, servers: listServers(servers, config, find) };
}

/** A built-in server: what it serves, where its program comes from, and how to install it. */
export interface KnownServer {
  readonly id: string;
  readonly languages: readonly string[];
  readonly extensions: readonly string[];
  /** The rule that found its program; absent if it is not installed. */
  readonly origin?: string;
  readonly install: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Returns all built-in servers, those that are preferred for a language first. */
export function knownServers(environment: Variables): readonly KnownServer[] {
  return servers.map(({ id, extensions, install, program: { sources } }) => {
    const found = resultOrError(() => findProgram(sources, { server: id, install, roots: [], environment }));
    const known = {
      id,
      languages: [...new Set(Object.values(extensions))],
      extensions: Object.keys(extensions),
    };
    return found instanceof LspanError ? { ...known, install } : { ...known, origin: found.origin, install };
  });
}

/** Returns the path of a program of the user, such as npm; `undefined` if it is not in PATH. */
export function findOnPath(name: string, environment: Variables): string | undefined {
  return programInPath(name, { roots: [], environment });
}

/** Returns what the user would allow by trusting a folder as it is now, by server. */
export function offerTrust(
  settings: Omit<BridgeSettings, 'surface' | 'roots'> & { readonly root: string },
): TrustOffer {
  const { root, environment = process.env } = settings;
  const concerned = mergeDefinitions(servers, effectiveConfig({ ...settings, roots: [root] })).filter(
    concernsTrust,
  );
  // The offer depends on which files exist, not on their contents.
  const facts = projectFacts(root, environment, untrusted, new TemporaryFolder(), () => undefined);
  const serves = (definition: ServerDefinition, file: string) => languageOf(file, definition) !== undefined;
  return trustOffer(concerned, facts, { files: listTree(root).files, serves, fingerprint });
}

/** Returns the edits of a workspace that can be undone, the latest first. */
export async function listEdits(settings: Omit<BridgeSettings, 'surface'>): Promise<readonly Edit[]> {
  const { roots, log, environment = process.env } = settings;
  if (roots.length === 0) throw noWorkspace();
  const workspace = await openWorkspace({ roots, log });
  const edits = openEdits({ view: workspace, folder: stateFolder(environment), log }).history();
  return workspace.close().then(() => edits);
}
