import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { FileMove } from '../../core/question.ts';
import type { Plan, PlannedFile } from '../../edits/plan.ts';
import { relativeMentions } from '../../source-text/paths/path-mentions.ts';
import { resolvesToFile, type TargetPath } from '../../source-text/paths/path-resolution.ts';
import { movedWorkspace, rebase } from '../../workspace/derived-workspace.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type FileReference, toReference } from '../paths/file-mentions.ts';
import { fileReferencesByText, findFileReferences, mentionsIn, namesOf } from '../paths/file-references.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { location, orderSpans, toSearchedLocations } from '../show/location.ts';
import { plural } from '../show/render-location.ts';

/** Paths that still name a moved file at its old place, or that a move of their own file has broken. */
export const stalePaths = z.object({
  uncovered: z
    .array(
      location
        .pick({ file_path: true, line: true, character: true, text: true })
        .extend({ certainty: z.enum(['server', 'text']) }),
    )
    .optional(),
  /** Counts all, listed or not. */
  uncovered_count: z.int().optional(),
});

type StalePaths = z.output<typeof stalePaths>;

/** Finds the paths that a plan for a move leaves to be changed by hand. */
export async function stalePathsOf(
  context: ToolContext,
  move: FileMove,
  plan: Plan,
  call: Call,
): Promise<{
  readonly data: StalePaths;
  readonly doubts: readonly Doubt[];
  /** Other files that refer to it now. */
  readonly dependents: readonly string[];
}> {
  const { workspace } = context;
  const targets = [{ path: move.from, isFolder: move.isFolder }];
  const texts = new Map(
    plan.files.flatMap(({ path, newPath, after }): [string, string][] =>
      after === undefined ? [] : [[newPath ?? rebase(path, move.from, move.to) ?? path, after]],
    ),
  );
  const changed = new Set(plan.files.map(({ path }) => path));
  const after = { ...context, workspace: movedWorkspace(workspace, move, texts) };
  const left = await fileReferencesByText(after, targets, call);
  // Servers know more ways to name a file than its path; they may report places that they did not offer to change.
  const unchanged = await findFileReferences(context, targets, call, (file) => !changed.has(file));
  const broken = await brokenPaths(workspace, after.workspace, move);
  const misled = wrongEdits(plan.files, move, workspace, after.workspace);
  const all = orderSpans([...unchanged.references, ...left.references, ...broken, ...misled]);
  const there = await fileReferencesByText(after, [{ path: move.to, isFolder: move.isFolder }], call);
  const reached = await withoutSearched(after, there.references);
  const found = all.filter(isLost([...unchanged.references, ...left.references], reached));
  const shown = found.slice(0, limits.fileReferences.shown);
  const locations = await toSearchedLocations(after, shown);
  const listed = locations.map(({ file_path, line, character, text }, index) => ({
    file_path,
    line,
    character,
    ...(text === undefined ? {} : { text }),
    certainty: shown[index]?.certainty ?? 'text',
  }));
  const data = found.length === 0 ? {} : { uncovered: listed, uncovered_count: found.length };
  const dependents = all
    .map(({ path }) => path)
    .filter((path) => rebase(path, move.to, move.from) === undefined);
  return { data, doubts: [...left.doubts, ...unchanged.doubts], dependents: [...new Set(dependents)] };
}

/** Returns a predicate that is false for an import that still resolves to the file: `./part` to `part/index.ts`. */
function isLost(old: readonly FileReference[], there: readonly FileReference[]) {
  const keyOf = ({ path, range: { start } }: FileReference) => `${path}:${start.line}:${start.character}`;
  const reached = new Set(there.map(keyOf));
  const imports = old.filter(({ certainty, isLoose }) => certainty === 'server' || isLoose).map(keyOf);
  const kept = new Set(imports.filter((key) => reached.has(key)));
  return (one: FileReference) => !kept.has(keyOf(one));
}

/** Leaves out headers of C that a compiler looks for in its own folders: the new one need not be among them. */
async function withoutSearched(
  context: ToolContext,
  references: readonly FileReference[],
): Promise<readonly FileReference[]> {
  const found: FileReference[] = [];
  for (const one of references) {
    const document = await documentAt(context, one.path);
    const line = document?.line(one.range.start.line) ?? '';
    const isSearched = (one.isLoose ? anyInclude : angledInclude).test(line);
    if (!isSearched) found.push(one);
  }
  return found;
}

const anyInclude = /^\s*#\s*(?:include|import)\s*["<]/;
const angledInclude = /^\s*#\s*(?:include|import)\s*</;

/** Renders the paths that are left to be changed. */
export function renderStalePaths({ uncovered: some = [], uncovered_count = 0 }: StalePaths): string[] {
  if (uncovered_count === 0) return [];
  const lines = some.map(
    ({ file_path, line, character, text = '', certainty }) =>
      `  ${file_path}:${line}:${character}  ${text}${certainty === 'server' ? '  (as the server says)' : ''}`,
  );
  const more = uncovered_count > some.length ? [`  ${uncovered_count - some.length} more, not listed.`] : [];
  const head = `Change by hand: ${plural('path', uncovered_count)} to the old location`;
  return [head, ...lines, ...more];
}

/**
 * Returns lines of edited files that named what moves, and now name it neither at its old nor at its new place: the
 * edit of the server is wrong. `after` is the workspace after the move.
 */
function wrongEdits(
  files: readonly PlannedFile[],
  move: FileMove,
  before: Workspace,
  after: Workspace,
): FileReference[] {
  const [olds, news] = [new Set(before.files()), new Set(after.files())];
  const { from, to, isFolder } = move;
  return files.flatMap((file) => {
    if (file.before === undefined || file.after === undefined || rebase(file.path, from, to)) return [];
    const linesOf = (text: string, target: TargetPath, known: ReadonlySet<string>) => {
      const document = documentOf(file.path, text);
      return mentionsIn(document, target, namesOf(target), { roots: before.roots, known })
        .filter(({ byText }) => byText !== undefined)
        .map(({ mention }) => document.positionAt(mention.offset).line);
    };
    const there = [
      ...linesOf(file.after, { path: to, isFolder }, news),
      ...linesOf(file.after, { path: from, isFolder }, news),
    ];
    const lost = linesOf(file.before, { path: from, isFolder }, olds).filter((line) => !there.includes(line));
    // If lines were added or removed, their numbers do not identify them.
    const was = file.before.split('\n').length;
    if (was !== file.after.split('\n').length && there.length >= lost.length) return [];
    const document = documentOf(file.path, file.after);
    return [...new Set(lost)].map((line): FileReference => {
      const start = { line, character: Math.max(0, document.line(line).search(/\S/)) };
      return { path: file.path, range: { start, end: start }, standing: 'inside', certainty: 'text' };
    });
  });
}

/** Returns relative paths in moved files that resolved before the move and do not resolve after it. */
async function brokenPaths(before: Workspace, after: Workspace, move: FileMove): Promise<FileReference[]> {
  const [olds, news] = [new Set(before.files()), new Set(after.files())];
  const moved = [...olds].flatMap((file) => {
    const to = rebase(file, move.from, move.to);
    return to === undefined ? [] : [{ file, to }];
  });
  const found: FileReference[] = [];
  for (const { file, to } of moved.slice(0, limits.fileReferences.files)) {
    const document = await after.read(to).catch(() => undefined);
    if (!document) continue;
    const broken = relativeMentions(to, document.text).filter(
      (mention) => resolvesToFile(mention, file, olds) && !resolvesToFile(mention, to, news),
    );
    found.push(...broken.map((mention) => toReference({ document, mention, byText: 'exact' }, 'text')));
  }
  return found;
}
