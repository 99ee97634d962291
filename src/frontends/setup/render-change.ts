import { type ChangeObject, diffWordsWithSpace, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
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
  const parts = diffWordsWithSpace(removed.slice(1), added.slice(1));
  const sideOf = (side: 'removed' | 'added') =>
    parts
      .filter((part) => part[side] || (!part.removed && !part.added))
      .map((part) => (part[side] ? part.value : nearChange(part, parts)))
      .join('');
  return lines.map((line) => {
    if (line.length <= limits.setup.line) return line;
    if (line === removed) return `-${sideOf('removed')}`;
    if (line === added) return `+${sideOf('added')}`;
    return `${line.slice(0, limits.setup.line)}…`;
  });
}

/** Returns the ends of a part that has not changed. */
function nearChange(part: ChangeObject<string>, parts: readonly ChangeObject<string>[]): string {
  const { around } = limits.setup;
  const before = part === parts[0] ? '' : part.value.slice(0, around);
  const after = part === parts.at(-1) ? '' : part.value.slice(-around);
  const isShort = part.value.length <= before.length + after.length;
  return isShort ? part.value : `${before}…${after}`;
}
