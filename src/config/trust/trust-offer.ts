import { basename, extname } from 'node:path';
import type { Fingerprint } from '../../core/trust.ts';
import type { ProjectFacts, ServerDefinition } from '../../servers/definition.ts';
import type { TrustOffer } from './write-trust.ts';

/** Facts about the folder that could be trusted. */
interface FolderFacts {
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly serves: (definition: ServerDefinition, file: string) => boolean;
  readonly fingerprint: (root: string, globs: readonly string[]) => Fingerprint;
}

/** Returns what trust would allow each server to run, for servers that have files in the folder. */
export function trustOffer(
  definitions: readonly ServerDefinition[],
  facts: ProjectFacts,
  { files, serves, fingerprint }: FolderFacts,
): TrustOffer {
  const names = new Set(files.map((file) => basename(file)));
  const kinds = new Set(files.map((file) => extname(file).slice(1)));
  const isUsed = (definition: ServerDefinition) =>
    (definition.files?.onlyBelow?.some((name) => names.has(name)) ?? true) &&
    (definition.files?.onlyWithExtensions?.some((kind) => kinds.has(kind)) ?? true) &&
    files.some((file) => serves(definition, file));
  const servers = definitions.filter(isUsed).map((definition) => ({
    id: definition.id,
    runs: runsOf(definition, facts),
    bound: fingerprint(facts.root, definition.trust?.boundTo ?? []),
  }));
  return { root: facts.root, servers };
}

/** The doubts of a server that also runs without trust say what it leaves out until then. */
function runsOf({ id, trust, doubts }: ServerDefinition, facts: ProjectFacts): string {
  if (trust?.runs !== undefined) return `${id} would run ${trust.runs} of this repository.`;
  const left = (doubts?.(facts, 'diagnostics') ?? []).filter(({ kind }) => kind === 'not_trusted');
  const withheld = [...left.map(({ detail }) => detail), trust?.withheld?.(facts) ?? ''].join(' ').trim();
  return withheld === '' ? `${id} would do what these files say.` : `${id}, until then: ${withheld}`;
}
