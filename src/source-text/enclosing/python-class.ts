import { limits } from '../../core/limits.ts';
import { isPython } from '../imports.ts';
import { LineLayout } from './line-layout.ts';

/** The lines of a class of Python, and how far its body is indented. */
export interface PythonClass {
  readonly first: number;
  readonly last: number;
  readonly indent: number;
}

/** Returns the innermost class of Python around a line. */
export function pythonClassAround(file: string, text: string, line: number): PythonClass | undefined {
  if (!isPython(file)) return undefined;
  const layout = new LineLayout(file, text, /^#/, Number.POSITIVE_INFINITY);
  let [body, left] = [line, limits.outlines.depth];
  for (let at = layout.parent(line); at >= 0 && left > 0; at = layout.parent(at), left -= 1) {
    const first = openerOf(layout, at);
    if (/^class\s/.test(layout.line(first)))
      return { first, last: lastOf(layout, first, at), indent: layout.indent(body) };
    [body, at] = [first, first];
  }
  return undefined;
}

/** True if a name is that of an attribute where it stands on its line in a class: `self.name`, or alone in the body. */
export function isAttributeIn({ first, last, indent }: PythonClass, line: number, before: string): boolean {
  if (line <= first || line > last) return false;
  const [, spaces = ''] = /^([ \t]*)(?:(?:async[ \t]+)?def[ \t]+)?$/.exec(before) ?? [];
  if (spaces !== '') return indentOf(spaces) === indent;
  return /(?<![\w.])(?:self|cls)\.$/.test(before);
}

/** Returns the line where the statement begins that a line such as `):` ends, if it is near. */
function openerOf(layout: LineLayout, line: number): number {
  const least = Math.max(0, line - limits.outlines.parameterLines);
  let at = line;
  while (at > least && (layout.indent(at) > layout.indent(line) || /^[)\]}]/.test(layout.line(at)))) at -= 1;
  return at;
}

/** What stands in a string belongs to the line where the string begins, however it is indented. */
function lastOf(layout: LineLayout, first: number, opener: number): number {
  const isInside = (line: number) =>
    layout.indent(line) > layout.indent(first) ||
    layout.parent(line) >= first ||
    layout.line(line).startsWith('#');
  let at = opener + 1;
  while (at < layout.count && isInside(at)) at += 1;
  return at - 1;
}

function indentOf(spaces: string): number {
  const { tabWidth } = limits.outlines;
  return [...spaces].reduce((width, one) => width + (one === '\t' ? tabWidth - (width % tabWidth) : 1), 0);
}
