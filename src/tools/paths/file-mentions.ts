import path from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import type { PathMention } from '../../source-text/paths/path-mention.ts';
import type { TargetPath } from '../../source-text/paths/path-resolution.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';

/** A place in another file that names a file, or one in a folder. */
export interface FileReference extends Span {
  /** `server` if a language server resolves it, `text` if only its spelling does. */
  readonly certainty: 'server' | 'text';
  /** True if the path omits the extension or has another one, which only tools that resolve imports understand. */
  readonly isLoose?: true;
}

/** References to some files, and why there may be more. */
export interface FileReferences {
  readonly references: readonly FileReference[];
  readonly doubts: readonly Doubt[];
}

/** A mention of one of the files, in its document. */
export interface Mentioned {
  readonly document: Document;
  readonly mention: PathMention;
  readonly byText: 'exact' | 'guessed' | undefined;
}

/** Converts a mention to a reference. */
export function toReference(
  { document, mention: { offset, length }, byText }: Mentioned,
  certainty: FileReference['certainty'],
): FileReference {
  const range = rangeAt(document, offset, length);
  const loose = byText === 'guessed' ? { isLoose: true as const } : {};
  return { path: document.path, range, standing: 'inside', certainty, ...loose };
}

/** Returns whether a path is one of the targets, or in one. */
export function isTarget(targets: readonly TargetPath[], file: string): boolean {
  return targets.some(
    (target) => target.path === file || (target.isFolder && file.startsWith(`${target.path}${path.sep}`)),
  );
}
