import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import type { PlannedFile } from '../plan.ts';
import { type Hunk, lineHunks } from './line-diff.ts';

/**
 * Returns the changes of a plan as a unified diff in the format of git; `show` formats paths. Texts that have little in
 * common are shown as one removed and one added. Line endings are shown if they differ.
 */
export function unifiedDiff(files: readonly PlannedFile[], show: (path: string) => string): string {
  return files.map((file) => formatPatch(patchOf(file, show), FILE_HEADERS_ONLY)).join('');
}

function patchOf(file: PlannedFile, show: (path: string) => string): StructuredPatch {
  const { before, after, change } = file;
  const isCreate = change === 'create';
  const isDelete = change === 'delete';
  return {
    oldFileName: isCreate ? nowhere : `a/${show(file.path)}`,
    newFileName: isDelete ? nowhere : `b/${show(file.newPath ?? file.path)}`,
    oldHeader: undefined,
    newHeader: undefined,
    // For a plain edit, the names are enough.
    ...(change !== 'edit' && { isGit: true, isCreate, isDelete, isRename: change === 'rename' }),
    hunks: before === after ? [] : hunksOf(before ?? '', after ?? ''),
  };
}

const nowhere = '/dev/null';

/** Only one line: agents pay for every line, and know the file. */
const context = 1;

function hunksOf(before: string, after: string): StructuredPatchHunk[] {
  const [old, now] = withOneEnding(before, after).map(cut);
  if (!old || !now) return [];
  return joined(lineHunks(old, now)).map((group) => shownHunk(group, old, now));
}

/** If a file has only one kind of line ending, before and after, showing it would mark every line. */
function withOneEnding(before: string, after: string): string[] {
  const both = [before, after];
  if (!both.some((text) => text.includes('\r'))) return both;
  const kinds = new Set(both.flatMap((text) => text.match(/\r\n?|\n/g) ?? []));
  return kinds.size === 1 ? both.map((text) => text.replace(/\r\n?/g, '\n')) : both;
}

/** Returns the lines as shown, so that a last line without an ending differs from one with. */
function cut(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines;
}

/** Joins hunks whose context lines meet. */
function joined(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && hunk.oldStart - (last.oldStart + last.oldCount) <= 2 * context;
    if (isNear) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

function shownHunk(
  group: readonly Hunk[],
  old: readonly string[],
  now: readonly string[],
): StructuredPatchHunk {
  const [first, last] = [group[0], group.at(-1)];
  const lead = Math.min(context, first?.oldStart ?? 0);
  const oldStart = (first?.oldStart ?? 0) - lead;
  const newStart = (first?.newStart ?? 0) - lead;
  const lines: string[][] = [];
  let at = oldStart;
  for (const hunk of group) {
    lines.push(marked(' ', old.slice(at, hunk.oldStart)));
    at = hunk.oldStart + hunk.oldCount;
    lines.push(marked('-', old.slice(hunk.oldStart, at)));
    lines.push(marked('+', now.slice(hunk.newStart, hunk.newStart + hunk.newCount)));
  }
  const trailing = old.slice(at, at + context);
  lines.push(marked(' ', trailing));
  const newEnd = (last?.newStart ?? 0) + (last?.newCount ?? 0) + trailing.length;
  return {
    oldStart: oldStart + 1,
    oldLines: at + trailing.length - oldStart,
    newStart: newStart + 1,
    newLines: newEnd - newStart,
    lines: lines.flat(),
  };
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map((line) => mark + line);
}
