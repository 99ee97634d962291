import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { limits } from '../../core/limits.ts';
import type { PreparedFile } from './prepare-file.ts';

/** Renders the change of a file as a unified diff; of very long lines, only what is near the change. */
export function renderFileChange({ read, after }: PreparedFile): string {
  const nowhere = '/dev/null';
  const names = [read.bytes === undefined ? nowhere : read.file, after === undefined ? nowhere : read.file];
  const [before = '', now = ''] = [read.text, after ?? ''].map(withPlainEndings);
  const { context } = limits.setup;
  const patch = structuredPatch(names[0] ?? '', names[1] ?? '', before, now, '', '', { context });
  const hunks = patch.hunks.map((hunk) => ({ ...hunk, lines: shortened(hunk.lines) }));
  const headless = { ...patch, oldHeader: undefined, newHeader: undefined, hunks };
  return formatPatch(headless, FILE_HEADERS_ONLY);
}

/** The ending of a line never changes, so it is not shown. */
function withPlainEndings(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A file without line breaks is one line, which may hold all that a client remembers. */
function shortened(lines: readonly string[]): string[] {
  if (lines.every((line) => line.length <= limits.setup.line)) return [...lines];
  const removed = lines.find((line) => line.startsWith('-')) ?? '';
  const added = lines.find((line) => line.startsWith('+')) ?? '';
  const from = commonLength(removed.slice(1), added.slice(1)) + 1;
  return lines.map((line) => {
    if (line.length <= limits.setup.line) return line;
    const other = line === removed ? added : removed;
    const isPair = line === removed || line === added;
    const start = isPair ? Math.max(1, from - limits.setup.around) : 1;
    const same = isPair ? commonLength(reversed(line.slice(from)), reversed(other.slice(from))) : 0;
    const end = isPair ? Math.min(line.length, line.length - same + limits.setup.around) : limits.setup.line;
    return `${line[0]}${start > 1 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
  });
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}
