import path from 'node:path';
import { limits } from '../../core/limits.ts';

/** True for a file of a language of the JVM, or a page with code of Java. */
export function isJvm(file: string): boolean {
  return jvm.test(file);
}

const jvm = /\.(?:java|kts?|scala|sc|groovy|gradle|jspx?|jspf|tagx?)$/;

/** Code that sees what its folder has without a package. */
const inFolder = /(?<!\.gradle)\.(?:java|kts?|scala|sc|groovy)$/;

/** The packages of the JVM in a workspace, as its folders show them. */
export class JvmPackages {
  /** How many files are in folders whose paths end so. */
  readonly #folders = new Map<string, number>();
  /** Folders with files of the language of the symbol that was searched. */
  readonly #own = new Set<string>();

  constructor(files: Iterable<string>, definedIn: string) {
    const extension = path.extname(definedIn);
    const counts = new Map<string, number>();
    for (const file of files) {
      if (!jvm.test(file)) continue;
      const folder = path.dirname(file);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
      if (file.endsWith(extension)) this.#own.add(folder);
    }
    for (const [folder, count] of counts)
      for (const suffix of suffixesOf(folder))
        this.#folders.set(suffix, (this.#folders.get(suffix) ?? 0) + count);
  }

  /** Returns whether a text belongs to a package of the workspace, imports from one, or names something in one. */
  reaches(file: string, text: string): boolean {
    const own = new Set(suffixesOf(path.dirname(file)));
    const has = (folder: string) => (this.#folders.get(folder) ?? 0) > (own.has(folder) ? 1 : 0);
    if (inFolder.test(file) && this.#own.has(path.dirname(file)) && !packaged.test(text)) return true;
    const seen = new Set<string>();
    for (const { groups: { verb, name = '' } = {} } of text.matchAll(qualified)) {
      const key = `${verb} ${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (foldersOf(name, verb).some(has)) return true;
    }
    return false;
  }
}

const packaged = /^[ \t]*package[ \t]+[\p{ID_Start}`]/mu;

/** Names with dots, and what is imported or declared without one. */
const qualified =
  /(?<![\p{ID_Continue}.])(?:(?<verb>import|package)\s+(?:static\s+)?)?(?<name>\p{ID_Start}\p{ID_Continue}*(?:\.\p{ID_Continue}*)*)/gu;

/** Returns the ends of the path of a folder, which may be the names of its package. */
function suffixesOf(folder: string): readonly string[] {
  const parts = folder.split(path.sep).filter(Boolean).slice(-limits.mentions.packageDepth);
  return parts.map((_, index) => parts.slice(index).join('/'));
}

/**
 * Returns the folders of the packages that a name may be in: those before its first type. Without a type, an import may
 * be of a function, and other names with dots may be of variables unless the package has several names.
 */
function foldersOf(name: string, verb: string | undefined): readonly string[] {
  if (verb === undefined && !name.includes('.')) return [];
  const isWhole = /\.$|\._$/.test(name) || verb === 'package';
  const segments = name
    .split('.', limits.mentions.packageDepth)
    .filter((segment) => segment !== '' && segment !== '_');
  const type = segments.findIndex((segment) => /^\p{Lu}/u.test(segment));
  if (type >= 0) return type === 0 ? [] : [segments.slice(0, type).join('/')];
  const all = segments.join('/');
  if (isWhole) return [all];
  if (/^javax?$/.test(segments[0] ?? '')) return [all];
  if (verb === 'import') return [all, segments.slice(0, -1).join('/')];
  return segments.slice(2).map((_, index) => segments.slice(0, index + 2).join('/'));
}
