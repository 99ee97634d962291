import path from 'node:path';
import type { PathMention } from './path-mentions.ts';
import { moduleEndings } from './path-resolution.ts';

/** Whether a relative path in a text leads to one of the files, as it is written or with an ending added. */
export function leadsSomewhere(mention: PathMention, from: string, files: ReadonlySet<string>): boolean {
  const reached = reachedBy(mention, path.dirname(from));
  const bare = reached.replace(/\.([cm]?)jsx?$/, '');
  const endings = mention.form === 'module' ? pythonEndings : ['', ...moduleEndings];
  return endings.some((ending) => files.has(`${reached}${ending}`) || files.has(`${bare}${ending}`));
}

const pythonEndings = ['.py', '.pyi', '/__init__.py', '/__init__.pyi'];

function reachedBy({ form, path: written }: PathMention, folder: string): string {
  if (form !== 'module') return path.join(folder, written.replace(/[?#].*$/, '')).replace(/\/$/, '');
  const dots = /^\.*/.exec(written)?.[0].length ?? 0;
  const up = Array.from({ length: dots - 1 }, () => '..');
  return path.join(folder, ...up, ...written.slice(dots).split('.'));
}
