import { basename, dirname, extname } from 'node:path';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { changesFiles } from '../../../workspace/freshness/change-set.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import type { FileRules } from './file-rules.ts';

/** The definitions that have files in a root. */
export interface ServersInRoot {
  readonly root: string;
  readonly definitions: readonly ServerDefinition[];
  /** The definitions by set of files, as alternatives: by rank, or in the order of a rule. */
  readonly choices: readonly ServersOfKind[];
}

/** Definitions of which the best of each group is asked. */
export interface ServersOfKind {
  readonly definitions: readonly ServerDefinition[];
  /** True if they are in order of preference; otherwise their rank decides. */
  readonly ordered: boolean;
}

/** Returns whether a definition serves files in the folder of this one. */
export type AppliesHere = (definition: ServerDefinition, path: string, root: string) => boolean;

/** Finds the definitions that serve some of the files, by root, from one sample file of each kind. */
function findServersInRoots(
  { files, rootOf }: { readonly files: Iterable<string>; readonly rootOf: Workspace['rootOf'] },
  definitions: readonly ServerDefinition[],
  rules: FileRules | undefined,
  isHere: AppliesHere,
): readonly ServersInRoot[] {
  const groups = new Map<string, FileGroup>();
  const absent = new Absence(definitions, isHere);
  for (const path of files) {
    const root = rootOf(path);
    if (root === undefined) continue;
    const wanted = rules?.of(path, root);
    const missing = absent.around(path, root);
    const key = [root, JSON.stringify(wanted), missing.key].join('\0');
    const { byKind } = entry(groups, key, () => ({ root, wanted, missing: missing.all, byKind: new Map() }));
    byKind.set(extname(path) || basename(path), path);
  }
  const roots = [...new Set([...groups.values()].map(({ root }) => root))];
  return roots.map((root) => {
    const here = [...groups.values()].filter((group) => group.root === root);
    const choices = here.map((group) => choiceOf(group, definitions));
    return { root, definitions: [...new Set(choices.flatMap((choice) => choice.definitions))], choices };
  });
}

/** Files that the same definitions may serve, with a sample of each kind. */
interface FileGroup {
  readonly root: string;
  readonly wanted: readonly string[] | undefined;
  /** Definitions that serve only files elsewhere. */
  readonly missing: ReadonlySet<ServerDefinition>;
  readonly byKind: Map<string, string>;
}

function choiceOf(
  { wanted, missing, byKind }: FileGroup,
  definitions: readonly ServerDefinition[],
): ServersOfKind {
  const paths = [...byKind.values()];
  const able = definitions.filter((one) => paths.some((path) => languageOf(path, one) !== undefined));
  return wanted === undefined
    ? { definitions: able.filter((definition) => !missing.has(definition)), ordered: false }
    : { definitions: inPreferredOrder(able, wanted), ordered: true };
}

/** The definitions that do not serve the files of a folder, whatever their kind. */
class Absence {
  readonly #conditional: readonly ServerDefinition[];
  readonly #isHere: AppliesHere;
  readonly #known = new Map<string, { readonly all: ReadonlySet<ServerDefinition>; readonly key: string }>();

  constructor(definitions: readonly ServerDefinition[], isHere: AppliesHere) {
    this.#conditional = definitions.filter(({ files }) => files?.onlyBelow ?? files?.onlyWithExtensions);
    this.#isHere = isHere;
  }

  around(path: string, root: string) {
    return entry(this.#known, dirname(path), () => {
      const all = this.#conditional.filter((definition) => !this.#isHere(definition, path, root));
      return { all: new Set(all), key: all.map(({ id }) => id).join() };
    });
  }
}

/** Returns the wanted definitions, in the order of `wanted`. */
export function inPreferredOrder(
  definitions: readonly ServerDefinition[],
  wanted: readonly string[],
): readonly ServerDefinition[] {
  return wanted.flatMap((id) => definitions.find((definition) => definition.id === id) ?? []);
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

interface RootServersOptions {
  readonly workspace: Workspace;
  readonly definitions: readonly ServerDefinition[];
  readonly rules?: FileRules;
}

/** Caches the definitions that have files, until files come or go, or the ignored files change. */
export class RootServers {
  readonly #parts: RootServersOptions;
  readonly #isHere: AppliesHere;
  #all: readonly ServersInRoot[] | undefined;
  /** By identity of the list: repeated questions about a name pass the same list. */
  #among = new WeakMap<readonly string[], readonly ServersInRoot[]>();

  constructor(parts: RootServersOptions, isHere: AppliesHere) {
    this.#parts = parts;
    this.#isHere = isHere;
  }

  /** Returns the definitions that serve some of these files, or of all files, by root. */
  among(files: readonly string[] | undefined): readonly ServersInRoot[] {
    if (files === undefined) {
      this.#all ??= this.#find(this.#parts.workspace.files());
      return this.#all;
    }
    const found = this.#among.get(files) ?? this.#find(files);
    this.#among.set(files, found);
    return found;
  }

  note(changes: readonly Change[]): void {
    if (!changesFiles(changes)) return;
    this.#all = undefined;
    this.#among = new WeakMap();
  }

  #find(files: Iterable<string>): readonly ServersInRoot[] {
    const { workspace, definitions, rules } = this.#parts;
    return findServersInRoots({ files, rootOf: workspace.rootOf }, definitions, rules, this.#isHere);
  }
}
