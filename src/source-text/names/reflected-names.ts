import { extname } from 'node:path';
import { limits } from '../../core/limits.ts';

/** Returns whether a word is the whole of a string that is asked for as the name of a member: `getattr(shop, "total")`. */
export function isAskedByName(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const asking = questions[extname(file)];
  const quote = text[start - 1] ?? '';
  if (asking === undefined || !/["'`]/.test(quote) || text[end] !== quote) return false;
  return asking.test(text.slice(Math.max(0, start - 1 - limits.mentions.ahead), start - 1));
}

const python =
  /(?:\b(?:getattr|setattr|hasattr|delattr|patch\.object)\s{0,9}\([^(),"'\n]{1,80}(?:\([^()"'\n]{0,80}\)[^(),"'\n]{0,40})?,\s{0,99}|\b(?:methodcaller|attrgetter)\s{0,9}\(\s{0,99})$/;

/** What comes before such a string, by the ending of the file. */
const questions: Readonly<Record<string, RegExp>> = {
  '.py': python,
  '.pyi': python,
  '.go': /\.(?:MethodByName|FieldByName)\(\s{0,9}$/,
};
