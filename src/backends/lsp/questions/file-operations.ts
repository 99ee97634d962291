import { join, relative, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { FileMove } from '../../../core/question.ts';
import { type Glob, matchesGlob, readGlobs } from '../../../core/runtime/glob.ts';
import { type Json, list, object, text } from '../../../core/runtime/json.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/**
 * Returns the moves that match the server's filters: a whole folder if a filter matches it, or if one for
 * both files and folders matches a file in it; otherwise the matching files in it.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#fileOperationFilter
 */
export function wantedMoves(
  options: readonly Json[],
  moves: readonly FileMove[],
  files: Iterable<string>,
): readonly FileMove[] {
  const filters = options
    .flatMap((one) => list(one.filters))
    .slice(0, limits.watch.globs)
    .map(readFilter);
  const isWanted = ({ from, isFolder }: FileMove, some = filters) =>
    some.some((filter) => means(filter, from, isFolder));
  const both = filters.filter(({ kind }) => kind === undefined);
  return moves.flatMap((move) => {
    if (isWanted(move)) return [move];
    const inside = move.isFolder ? movedFiles(move, files).filter((file) => isWanted(file)) : [];
    // One by one, each file would seem to leave the others behind: send the folder if the server accepts it.
    return inside.some((file) => isWanted(file, both)) ? [move] : inside;
  });
}

/** Returns the files that move with a folder, or the move itself if it is a file. */
export function movedFiles(move: FileMove, files: Iterable<string>): readonly FileMove[] {
  if (!move.isFolder) return [move];
  return [...files]
    .filter((file) => isPathWithin(move.from, file))
    .map((from) => ({ from, to: join(move.to, relative(move.from, from)), isFolder: false }));
}

/** Converts moves to LSP `RenameFilesParams`. */
export function renameParams(moves: readonly FileMove[], workspace: Workspace): Json {
  return {
    files: moves.map(({ from, to }) => ({ oldUri: workspace.uri(from), newUri: workspace.uri(to) })),
  };
}

interface Filter {
  /** Absent if any path matches: a needless request costs a server little. */
  readonly globs?: readonly Glob[];
  readonly kind: 'file' | 'folder' | undefined;
  readonly ignoreCase: boolean;
}

function readFilter(raw: unknown): Filter {
  const { scheme, pattern } = object(raw);
  const { glob, matches, options } = object(pattern);
  const kind = matches === 'file' || matches === 'folder' ? matches : undefined;
  const ignoreCase = object(options).ignoreCase === true;
  if (scheme !== undefined && scheme !== null && scheme !== 'file') return { globs: [], kind, ignoreCase };
  const written = text(glob) ?? '**';
  const globs =
    written.length > limits.watch.pattern
      ? undefined
      : readGlobs(cased(written, ignoreCase), limits.watch.globs);
  return { ...(globs ? { globs } : {}), kind, ignoreCase };
}

function means({ globs, kind, ignoreCase }: Filter, path: string, isFolder: boolean): boolean {
  if (kind !== undefined && isFolder !== (kind === 'folder')) return false;
  const names = cased(path, ignoreCase).split(sep);
  return globs?.some((glob) => matchesGlob(glob, names)) ?? true;
}

function cased(written: string, ignoreCase: boolean): string {
  return ignoreCase ? written.toLowerCase() : written;
}
