import { extname } from 'node:path';
import { limits } from '../../core/limits.ts';

/**
 * Returns whether a word in a string is asked for as the name of a member: the whole of it, as in `getattr(shop, "total")`,
 * `vars(shop)["total"]` and `globals()["total"]`, or a part of a format or a template, as in `"{0.total}"` and
 * `"{{.Total}}"`.
 */
export function isAskedByName(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const ending = extname(file);
  if (text[start - 1] === '.')
    return formats[ending]?.test(text.slice(Math.max(0, start - limits.mentions.ahead), start)) === true;
  if (php.test(ending)) return isNamedInPhp(text, { start, end });
  const asking = questions[ending];
  const quote = text[start - 1] ?? '';
  if (asking === undefined || !/["'`]/.test(quote) || text[end] !== quote) return false;
  return asking.test(text.slice(Math.max(0, start - 1 - limits.mentions.ahead), start - 1));
}

const python =
  /(?:(?:\.__dict__|\b(?:globals|locals)\s{0,9}\(\s{0,9}\)|\bvars\s{0,9}\([^()\n]{0,80}\)|\b_?asdict\s{0,9}\([^()\n]{0,80}\))(?:\[|\.(?:get|pop)\()\s{0,99}|\b(?:getattr|setattr|hasattr|delattr|patch\.object)\s{0,9}\([^(),"'\n]{1,80}(?:\([^()"'\n]{0,80}\)[^(),"'\n]{0,40})?,\s{0,99}|\b(?:methodcaller|attrgetter)\s{0,9}\(\s{0,99})$/;

/** What comes before such a string, by the ending of the file. */
const questions: Readonly<Record<string, RegExp>> = {
  '.py': python,
  '.pyi': python,
  '.go': /\.(?:MethodByName|FieldByName)\(\s{0,9}$/,
};

const field = /\{\w{0,80}(?:\.\w{1,80}){0,9}\.$/;

/** What comes before such a part. */
const formats: Readonly<Record<string, RegExp>> = {
  '.py': field,
  '.pyi': field,
  // Also a field of a variable, and of what a function takes: `{{range .Items}}`, `{{$item.Total}}`.
  '.go': /\{\{(?:[^{}"\n]{0,150}[\s(|])?(?:\$?\w{0,80}\.){1,9}$/,
};

const php = /^\.(?:php|phtml)$/;

/** True in a string of PHP for a member behind its class, a name behind its namespace, and what is asked for by name. */
function isNamedInPhp(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!/["']/.test(text[end] ?? '')) return false;
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  return qualified.test(before) || askedInPhp.test(before);
}

const qualified = /["'][\w\\]{0,150}(?:\w(?:::|@)|\w\\{1,2})$/;
const askedInPhp =
  /\b(?:(?:method_exists|property_exists)\s{0,9}\([^(),"'\n]{1,80},|(?:function_exists|is_callable|constant|call_user_func(?:_array)?)\s{0,9}\()\s{0,99}["']$/;
