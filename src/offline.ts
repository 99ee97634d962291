import { findProgram, programInPath } from './backends/lsp/process/find-program.ts';
import { projectFacts } from './backends/lsp/session/project-facts.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { type ListedServer, listServers } from './config/servers/list-servers.ts';
import { mergeDefinitions } from './config/servers/merge-definition.ts';
import { stateFolder } from './config/state-folder.ts';
import { concernsTrust } from './config/trust/current-trust.ts';
import { trustOffer } from './config/trust/trust-offer.ts';
import type { TrustOffer } from './config/trust/write-trust.ts';
import { beginCall } from './core/call.ts';
import type { Doubt } from './core/doubts.ts';
import { LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import { resultOrError } from './core/runtime/result.ts';
import { untrusted } from './core/trust.ts';
import type { Engine, InterruptedEdits, Recovery } from './edits/edits.ts';
import { openEdits } from './edits/open-edits.ts';
import type { Edit } from './edits/plan.ts';
import { effectiveConfig } from './effective-config.ts';
import { openTrust } from './open-servers.ts';
import { TemporaryFolder } from './platform/files/private-folder.ts';
import type { ServerDefinition } from './servers/definition.ts';
import { filesByLanguage } from './servers/files-by-language.ts';
import { servers } from './servers/index.ts';
import { languageOf } from './servers/language-of.ts';
import { accompaniesCode } from './source-text/beside-code.ts';
import { noWorkspace } from './workspace/no-workspace.ts';
import { openWorkspace } from './workspace/open-workspace.ts';
import { fingerprint } from './workspace/texts/fingerprint.ts';
import { listTree } from './workspace/texts/list-tree.ts';
import { samplesOf } from './workspace/texts/sample-files.ts';

/** Returns the configuration and the servers that it selects, without opening or starting anything. */
export function inspectConfig(settings: Omit<BridgeSettings, 'surface'>): {
  readonly config: Config;
  readonly servers: readonly ListedServer[];
} {
  const { roots, environment = process.env } = settings;
  const config = effectiveConfig(settings, loadConfig);
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
  const concerned = mergeDefinitions(
    servers,
    effectiveConfig({ ...settings, roots: [root] }, loadConfig),
  ).filter(concernsTrust);
  // The offer depends on which files exist, not on their contents.
  const facts = projectFacts(root, environment, untrusted, new TemporaryFolder(), {
    readNow: () => undefined,
    files: () => [],
    others: () => ({ links: [], isWhole: false, generation: 0 }),
  });
  const serves = (definition: ServerDefinition, file: string) => languageOf(file, definition) !== undefined;
  return trustOffer(concerned, facts, { files: listTree(root).files, serves, fingerprint });
}

/** Returns the edits of a workspace that can be undone, the latest first. */
export function listEdits(settings: Omit<BridgeSettings, 'surface'>): Promise<readonly Edit[]> {
  return withEdits(settings, async (edits) => edits.history());
}

/** Returns the edits of a workspace that processes left half done. Changes nothing. */
export function listInterruptedEdits(settings: Omit<BridgeSettings, 'surface'>): Promise<InterruptedEdits> {
  return withEdits(settings, async (edits) => edits.interrupted());
}

/** Undoes or completes the edits of a workspace that processes left half done. */
export function recoverEdits(settings: Omit<BridgeSettings, 'surface'>): Promise<Recovery> {
  return withEdits(settings, async (edits) => {
    const call = beginCall({ time: limits.call.deadline });
    return edits.recover(call).finally(() => call[Symbol.dispose]());
  });
}

async function withEdits<T>(
  { roots, log, environment = process.env }: Omit<BridgeSettings, 'surface'>,
  use: (edits: Engine) => Promise<T>,
): Promise<T> {
  if (roots.length === 0) throw noWorkspace();
  const workspace = await openWorkspace({ roots, log });
  const edits = openEdits({ view: workspace, folder: stateFolder(environment), log });
  return use(edits).finally(() => workspace.close());
}

/** The files of one language in a root. */
export interface SurveyedLanguage {
  readonly language: string;
  readonly root: string;
  readonly files: number;
  /** True for texts and data that accompany code. */
  readonly isBeside: boolean;
  /** A few of them that are good to ask about, the best first. */
  readonly samples: readonly string[];
}

/** What is known of a server before it runs. */
export interface SurveyedServer {
  readonly id: string;
  readonly root: string;
  readonly trust: 'not_needed' | 'granted' | 'not_granted';
  /** The questions that it is asked; absent if those that it announces. */
  readonly answers?: readonly string[];
}

/** The languages and servers of a workspace. */
export interface Survey {
  /** Real paths. */
  readonly roots: readonly string[];
  readonly files: number;
  /** The most frequent first. */
  readonly languages: readonly SurveyedLanguage[];
  readonly servers: readonly SurveyedServer[];
  /** Why the files may not all be known. */
  readonly doubts: readonly Doubt[];
}

/** Counts the files of a workspace by language, and says what is known of their servers. Starts nothing. */
export async function surveyWorkspace(settings: Omit<BridgeSettings, 'surface'>): Promise<Survey> {
  const { roots, log } = settings;
  if (roots.length === 0) throw noWorkspace();
  const config = effectiveConfig(settings, loadConfig);
  const definitions = mergeDefinitions(servers, config);
  const workspace = await openWorkspace({ roots, log, exclude: config.exclude });
  const survey = async (): Promise<Survey> => {
    const call = beginCall({ time: config.deadline });
    const doubts = await workspace.refresh(call).finally(() => call[Symbol.dispose]());
    const files = [...workspace.files()];
    const trust = openTrust(workspace, definitions, settings);
    const languages = workspace.roots.flatMap((root) => {
      const own = files.filter((file) => workspace.rootOf(file) === root);
      return filesByLanguage(own, definitions).map(([language, some]) => ({
        ...{ language, root, files: some.length, isBeside: some.every(accompaniesCode) },
        samples: samplesOf(some, root),
      }));
    });
    const known = workspace.roots.flatMap((root) =>
      definitions.map((definition) => ({
        ...{ id: definition.id, root },
        trust: trustOf(definition, () => trust.of(root, definition).granted),
        ...(definition.answers && { answers: definition.answers }),
      })),
    );
    languages.sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
    return { roots: workspace.roots, files: files.length, languages, servers: known, doubts };
  };
  return survey().finally(() => workspace.close());
}

function trustOf(definition: ServerDefinition, isGranted: () => boolean): SurveyedServer['trust'] {
  if (!concernsTrust(definition)) return 'not_needed';
  return isGranted() ? 'granted' : 'not_granted';
}
