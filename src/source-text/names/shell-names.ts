import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';

/** True if a file is a script for a shell: its ending says so, or else its first line. */
export function isShell(file: string, text = ''): boolean {
  return endings.test(file) || runByShell.test(text);
}

const endings = /\.(?:sh|bash|bats|ksh|zsh)$|\/\.(?:bashrc|bash_profile|bash_aliases|profile|zshrc)$/;
const runByShell = /^#![^\n]{0,200}\b(?:ba|da|k|z)?sh\b/;

/**
 * Returns whether a word in a string of a shell is used there: it is expanded, as in `"at $level"`, called in `"$(today)"`,
 * or the string is run, as in `trap 'tidy' EXIT`.
 */
export function isUsedInShellString(
  file: string,
  text: string,
  { start }: { readonly start: number; readonly end: number },
): boolean {
  if (!isShell(file, text)) return false;
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  if (run.test(before)) return true;
  return (expanded.test(before) || called.test(before)) && !isInSingleQuotes(before);
}

/** True behind a single quote that is open on the last line of a text: a shell expands nothing there. */
function isInSingleQuotes(text: string): boolean {
  let open = '';
  for (const [mark] of text.slice(text.lastIndexOf('\n') + 1).matchAll(/\\.|["']/g)) {
    if (open === '') open = mark.length === 1 ? mark : '';
    else if (mark === open) open = '';
  }
  return open === "'";
}

const expanded = /(?<!\\)\$(?:\{[#!]?)?$/;
const called = /(?:\$\([^()\n]{0,80}|`[^`\n]{0,80})$/;
const run = /(?:\b(?:trap|eval)|\s-\w{0,4}c)\s{1,9}(?:"[^"\n]{0,200}|'[^'\n]{0,200})$/;

/**
 * Returns whether a text that no server of a shell reads may use what a script defines: a script without an ending that
 * reads in another one, or a build that reads in this one.
 */
export function mayReadScript(text: string, script: string): boolean {
  if (runByShell.test(text)) return reading.test(text);
  const name = basename(script).replace(/\W/g, '\\$&');
  return new RegExp(
    `(?:\\bsource|(?<=[\\s"';&(]|^)\\.)[ \\t]{1,9}[^\\s;&|]{0,200}(?<![\\w.-])${name}(?![\\w.-])`,
  ).test(text);
}

const reading = /(?:^|[;&|({]|\b(?:then|do|else))[ \t]{0,200}(?:source|\.)[ \t]{1,9}\S/m;
