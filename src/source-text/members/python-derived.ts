import { limits } from '../../core/limits.ts';
import { enclosing } from '../brackets.ts';
import { occurrences } from '../words.ts';
import { baseExpressionsAfter } from './python-fields.ts';

/** A name that a text may give to what derives from a class, or to the class itself. */
export interface DerivedName {
  readonly name: string;
  /** True for a class with several bases. */
  readonly isJoining: boolean;
}

/** Returns `B` for `A` in `class B(Other, A):`, `import A as B` and `B = A` of Python. */
export function derivedNames(text: string, name: string): readonly DerivedName[] {
  const aliases = occurrences(text, name).flatMap((offset) => {
    const end = offset + name.length;
    const before = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
    const after = text.slice(end, end + limits.mentions.ahead);
    const [, alias] = /^[ \t]+as[ \t]+(\w+)/.exec(after) ?? assigned.exec(before) ?? [];
    return alias === undefined ? [] : [{ name: alias, isJoining: false }];
  });
  const headings = [...text.matchAll(heading)];
  const classes = headings.flatMap(({ index, 0: begin, 1: derived = '' }, at) => {
    // What is never closed ends at the next class at the latest.
    const bases = baseExpressionsAfter(text.slice(index, headings[at + 1]?.index), begin.length);
    const isDerived = bases.some((base) => occurrences(base.text, name).length > 0);
    return isDerived ? [{ name: derived, isJoining: bases.length > 1 }] : [];
  });
  return [...aliases, ...classes];
}

const assigned = /(?:^|\n)[ \t]*(\w+)[ \t]*=[ \t]*[\w.]*$/;

const heading = /^[ \t]*class[ \t]+(\w+)/gm;

/** True if the word at an offset may declare a member of a class: `def x`, `x = 1`, `x: int` and `self.x = 1`. */
export function mayDeclareMember(text: string, offset: number, name: string): boolean {
  const begin = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(Math.max(begin, offset - limits.mentions.ahead), offset);
  if (/(?:^|\s)(?:def|class)\s+$/.test(before)) return true;
  const after = text.slice(offset + name.length, offset + name.length + limits.mentions.ahead);
  return /(?:^|[\s,(])(?:\w+\.)?$/.test(before) && /^[ \t]*(?:[:,]|=(?!=))/.test(after);
}

/** True if the word at an offset is a parameter of a function. */
export function isParameter(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - limits.mentions.statement), offset);
  const bracket = enclosing(before);
  if (bracket === undefined) return false;
  return /\bdef\s+\w+\s*(?:\[[^[\]()]*\]\s*)?$/.test(before.slice(0, bracket));
}
