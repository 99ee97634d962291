import path from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/questions.ts';
import type { PathMention } from '../../source-text/path-mentions.ts';
import type { TargetPath } from '../../source-text/path-resolution.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** A place in the text of another file that names a file, or one in a folder. */
export interface FileReference extends Span {
  /** Whether a language server says so, or the path that stands there leads to it by its spelling. */
  readonly certainty: 'server' | 'text';
  /** The path leaves out an ending, or names another one, as only programs do that find files so. */
  readonly isLoose?: true;
}

/** What names some files, and why that may not be all. */
export interface FileReferences {
  readonly references: readonly FileReference[];
  readonly doubts: readonly Doubt[];
}

/** A mention of one of the files, with the text that it stands in. */
export interface Mentioned {
  readonly document: Document;
  readonly mention: PathMention;
  readonly byText: 'exact' | 'guessed' | undefined;
}

/** A mention as a reference. */
export function toReference(
  { document, mention: { offset, length }, byText }: Mentioned,
  certainty: FileReference['certainty'],
): FileReference {
  const range = { start: document.positionAt(offset), end: document.positionAt(offset + length) };
  const loose = byText === 'guessed' ? { isLoose: true as const } : {};
  return { path: document.path, range, standing: 'inside', certainty, ...loose };
}

/** Whether a path is one of the goals, or in one. */
export function isGoal(goals: readonly TargetPath[], file: string): boolean {
  return goals.some(
    (goal) => goal.path === file || (goal.isFolder && file.startsWith(`${goal.path}${path.sep}`)),
  );
}
