import { groupBy } from '../../core/runtime/group-by.ts';
import type { Location } from './location.ts';

/** Renders locations by file: `line:column code line (in Enclosing.symbol)`. A second blank would cost a second token. */
export function renderLocations(locations: readonly Location[]): string {
  const lines: string[] = [];
  for (const [path, own] of groupBy(locations, ({ file_path }) => file_path)) {
    const isElsewhere = own[0]?.external === 'repository';
    if (!isElsewhere) lines.push(heading(path, own[0]));
    for (const one of own) lines.push(isElsewhere ? renderWhole(path, one) : renderLine(one));
  }
  return lines.join('\n');
}

/** A place in another repository: `repository@commit:path:line`. */
function renderWhole(path: string, { line, character, text }: Location): string {
  return `${path}:${line}:${character}${text ? ` ${text}` : ''}`;
}

/** Renders `3 references in 2 files`. */
export function renderCount(noun: string, total: number, locations: readonly Location[]): string {
  const files = new Set(locations.map(({ file_path }) => file_path)).size;
  const where = locations.length === total && total > 0 ? ` in ${plural('file', files)}` : '';
  return `${plural(noun, total)}${where}`;
}

/** Renders `1 file`, `2 files`. */
export function plural(noun: string, count: number): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function heading(path: string, first: Location | undefined): string {
  return first?.external ? `${path}  [external ${first.external}]` : path;
}

/** Follows a place that the server named outside of the text. */
export const clampedMark = "[nearest position: the server's is not in the text]";

function renderLine({ line, character, text, in: holder, clamped }: Location): string {
  const code = text ? ` ${text}` : '';
  const where = holder ? ` (in ${holder})` : '';
  return `  ${line}:${character}${code}${where}${clamped ? ` ${clampedMark}` : ''}`;
}
