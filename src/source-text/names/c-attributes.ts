import { limits } from '../../core/limits.ts';
import { isC } from '../c-files.ts';

/**
 * Returns whether a word in a file of C stands where a server answers with the declaration around it, though the word can
 * be no symbol: in an `#include`, as the name of an attribute, or as a word of the language.
 */
export function isNoNameOfC(
  file: string,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  if (!isC(file)) return false;
  const before = text.slice(Math.max(0, start - limits.mentions.attribute), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (including.test(line) || attributes.test(before)) return true;
  const after = text.slice(end, end + limits.mentions.ahead);
  if (/\.mm?$/.test(file) && /^\s*:(?!:)/.test(after)) return true;
  return !/\.[cm]$/.test(file) && /^(?:final|override)$/.test(text.slice(start, end));
}

const including = /^[ \t]*#[ \t]*(?:include|include_next|import)\b/;

/** What comes before the name of an attribute, or before the kind of format that one takes. */
const attributes =
  /(?:__attribute(?:__)?\s{0,9}\(\(|\[\[)(?:\s{0,9}using\s{1,9}\w{1,80}\s{0,9}:)?(?:[^()[\];{}]{0,200}(?:\([^();{}]{0,80}\)[^()[\];{}]{0,80}){0,9}[,:\s])?(?:(?:__)?format(?:__)?\s{0,9}\(\s{0,9})?$/;

/**
 * Returns whether what stands at an offset of a text of C is a macro by which a name is made: one of its arguments is a part
 * of the name, or it begins a line and is spelt like a macro.
 */
export function isMadeByMacroAt(text: string, offset: number, name: string): boolean {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (!/^\s*(?:(?:static|extern|const|inline)\s+){0,4}$/.test(line)) return false;
  const after = text.slice(offset, offset + limits.mentions.statement);
  if (/^[A-Z][A-Z0-9_]{1,200}[ \t]{0,9}(?:[(;\r\n]|$)/.test(after)) return true;
  const [, given = ''] = /^\w{1,200}\s{0,9}\(([^()]{0,500})\)/.exec(after) ?? [];
  return (given.match(/\w+/g) ?? []).some((part) => part !== name && name.includes(part));
}
