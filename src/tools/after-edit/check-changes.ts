import type { Answering } from '../../core/backend.ts';
import { beginCall, type Call, withinPart } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { problemDelta, type Sighting } from '../../core/problem-delta.ts';
import { inParallel } from '../../core/runtime/in-parallel.ts';
import { pathMentions } from '../../source-text/paths/path-mentions.ts';
import { overlaidWorkspace } from '../../workspace/derived-workspace.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import { scopeOf } from '../change/change-scope.ts';
import { namesOf } from '../paths/file-references.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { withCodeContext } from '../show/problem-context.ts';
import type { CheckRequest, CheckResult } from '../state/conversation.ts';
import type { TextBefore } from '../state/kept-texts.ts';

/** Compares the problems of changed files and of those that depend on them with the problems before the changes. */
export function checkChanges(
  context: ToolContext,
  request: CheckRequest,
  time: number,
): Promise<CheckResult> {
  const call = beginCall({ time }, request.signal);
  return compare(context, request, call).finally(() => call[Symbol.dispose]());
}

async function compare(
  context: ToolContext,
  { changed, known, onScope }: CheckRequest,
  call: Call,
): Promise<CheckResult> {
  const edits = editedFiles(context, changed);
  if (edits.length === 0) return { introduced: [], present: new Map(), uncertain: [] };
  const scope = await scopeOf(context, { files: edits.map(toPlanned), operations: [] }, undefined, call);
  onScope(scope.after);
  const now = await takeProblems(context, context.backend, scope.after, call);
  // In the order of the scope: the changed files before those that depend on them.
  const affected = scope.after.filter((path) => (now.certain.get(path) ?? []).length > 0);
  const asked = affected.filter((path) => known(path) === undefined && changed.get(path)?.kind !== 'no_file');
  const before = await problemsBefore(context, edits, asked, call);
  const introduced = affected.flatMap((path) => {
    const present = now.certain.get(path) ?? [];
    const isNew = changed.get(path)?.kind === 'no_file';
    const earlier = known(path) ?? (isNew ? [] : before.get(path));
    return earlier === undefined ? [] : problemDelta(earlier, present).introduced;
  });
  const deleted = edits.filter(({ after }) => after === undefined).map(({ path }) => path);
  const rest = affected
    .flatMap((path) => now.certain.get(path) ?? [])
    .filter((one) => !introduced.includes(one));
  const unheard = rest.filter(({ path }) => known(path) === undefined);
  return {
    introduced: [...introduced, ...(await brokenByDeletion(context, deleted, unheard))],
    present: now.certain,
    uncertain: now.uncertain.filter((path) => changed.has(path)),
  };
}

/** A file whose text is another one than before. */
interface EditedFile {
  readonly path: string;
  readonly before: TextBefore;
  /** Absent if the file is gone. */
  readonly after: string | undefined;
}

/** Leaves out files that have their old text again, and those that are not part of the workspace. */
function editedFiles({ workspace }: ToolContext, changed: CheckRequest['changed']): readonly EditedFile[] {
  const files = new Set(workspace.files());
  return [...changed].flatMap(([path, before]): EditedFile[] => {
    const after = files.has(path) ? workspace.readNow(path) : undefined;
    const isSame = before.kind === 'text' ? before.text === after : after === undefined;
    return isSame ? [] : [{ path, before, after }];
  });
}

function toPlanned({ path, before, after }: EditedFile) {
  const old = before.kind === 'text' ? { before: before.text } : {};
  return { path, change: 'edit', edits: 1, ...old, ...(after === undefined ? {} : { after }) } as const;
}

/** The problems of files at one moment. */
interface TakenProblems {
  /** The errors and warnings of files about which the servers are certain. */
  readonly certain: ReadonlyMap<string, readonly Sighting[]>;
  /** Files about which they may be certain later. */
  readonly uncertain: readonly string[];
}

/** Asks about each file. An answer with a doubt is none: nothing is said that may be wrong. */
async function takeProblems(
  context: ToolContext,
  answering: Pick<Answering, 'diagnostics'>,
  paths: readonly string[],
  call: Call,
): Promise<TakenProblems> {
  const certain = new Map<string, readonly Sighting[]>();
  const uncertain: string[] = [];
  await inParallel(paths, limits.afterEdit.atOnce, async (path) => {
    const reply = await answering.diagnostics([path], call).catch((thrown: unknown) => {
      const { code } = asLspanError(thrown);
      if (code === 'cancelled' || code === 'internal') throw thrown;
      return code;
    });
    if (typeof reply === 'string') {
      if (reply === 'timed_out') uncertain.push(path);
      return;
    }
    const file = reply.answer.find((one) => one.path === path);
    const isLasting = reply.doubts.every(({ lasting }) => lasting === true);
    if (file?.state !== 'fresh' || !isLasting) return void uncertain.push(path);
    const sightings = await withCodeContext(context, [file], false);
    certain.set(
      path,
      sightings.filter(({ problem }) => isTold.has(problem.severity)),
    );
  });
  return { certain, uncertain };
}

/** Hints and information are no reason to interrupt. */
const isTold: ReadonlySet<string> = new Set(['error', 'warning']);

/**
 * Returns the problems that files had with the texts before. Servers cannot be shown that a file was there or not: what
 * only that changed counts as there before, and is not told.
 */
async function problemsBefore(
  context: ToolContext,
  edits: readonly EditedFile[],
  paths: readonly string[],
  call: Call,
): Promise<ReadonlyMap<string, readonly Sighting[]>> {
  const texts = new Map(
    edits.flatMap(({ path, before, after }): [string, string][] =>
      before.kind === 'text' && after !== undefined ? [[path, before.text]] : [],
    ),
  );
  const unknown = new Set(edits.filter(({ path }) => !texts.has(path)).map(({ path }) => path));
  const asked = paths.filter((path) => !unknown.has(path));
  if (texts.size === 0 || asked.length === 0) return new Map();
  const documents = new Map([...texts].map(([path, text]) => [path, documentOf(path, text)]));
  const overlaid = { ...context, workspace: overlaidWorkspace(context.workspace, documents) };
  const taken = await withinPart(call, { most: limits.afterEdit.overlay }, (part) =>
    context.backend.overlay(texts, part, (answering) => takeProblems(overlaid, answering, asked, part)),
  ).catch((thrown: unknown) => {
    const { code } = asLspanError(thrown);
    if (code === 'cancelled' || code === 'internal') throw thrown;
    return undefined;
  });
  return taken?.certain ?? new Map();
}

/** Returns the problems on lines that name a file which was there before: it is why they are there. */
async function brokenByDeletion(
  context: ToolContext,
  deleted: readonly string[],
  sightings: readonly Sighting[],
): Promise<readonly Sighting[]> {
  if (deleted.length === 0) return [];
  const names = deleted.flatMap((path) => namesOf({ path, isFolder: false }));
  const found: Sighting[] = [];
  for (const sighting of sightings) {
    const document = await documentAt(context, sighting.path);
    const { start, end } = sighting.problem.range;
    const mentions = document ? pathMentions(sighting.path, document.text, names) : [];
    const lines = mentions.map(({ offset }) => document?.text.slice(0, offset).split('\n').length ?? 0);
    if (lines.some((line) => line - 1 >= start.line && line - 1 <= end.line)) found.push(sighting);
  }
  return found;
}
