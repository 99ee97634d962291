import path from 'node:path';

/** Yields the files that a path in an import of a script may mean, without or with another ending, best first. */
export function* scriptFilesAt(reached: string): Iterable<string> {
  yield reached;
  const bare = reached.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
  for (const ending of endings) {
    const file = `${bare}${ending}`;
    if (file !== reached) yield file;
  }
  const inside = reached.endsWith(path.sep) ? reached : `${reached}${path.sep}`;
  for (const ending of endings) yield `${inside}index${ending}`;
}

const endings = '.ts .tsx .d.ts .mts .cts .d.mts .d.cts .js .jsx .mjs .cjs .json .vue .svelte'.split(' ');

/** True for an import that starts from the folder of its file. */
export function isRelative(module: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(module);
}

/** Returns the files that a module of Python may mean below a folder. */
export function pythonFilesAt(folder: string, parts: readonly string[]): readonly string[] {
  const base = path.join(folder, ...parts);
  const inside = [path.join(base, '__init__.py'), path.join(base, '__init__.pyi')];
  return parts.length === 0 ? inside : [`${base}.py`, ...inside, `${base}.pyi`];
}

/** Returns the folder from which a module of Python starts, if it has leading dots, and its names. */
export function splitPythonModule(
  module: string,
  from: string,
): { readonly folder: string | undefined; readonly parts: readonly string[] } {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split('.').filter(Boolean);
  if (dots === 0) return { folder: undefined, parts };
  const ups = Array.from({ length: dots - 1 }, () => '..');
  return { folder: path.join(path.dirname(from), ...ups), parts };
}
