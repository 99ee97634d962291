import type { Answering } from '../../core/backend.ts';
import { type Call, cancelSignalOf, until, withinPart } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { problemDelta, type Sighting, surelyFixed } from '../../core/problem-delta.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { Plan } from '../../edits/plan.ts';
import { mayNameCode } from '../../source-text/names/name-paths.ts';
import { overlaidWorkspace } from '../../workspace/derived-workspace.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { withCodeContext } from '../show/problem-context.ts';
import type { ChangeScope } from './change-scope.ts';
import { type RenamedWord, withRenamedWord } from './renamed-word.ts';

/** The problems that a change introduces and fixes, according to the servers. */
export interface DiagnosticsDelta {
  /** False if the servers cannot see the change yet. */
  readonly isCompared: boolean;
  readonly introduced: readonly Sighting[];
  readonly fixed: readonly Sighting[];
  /** Files whose state before or after is uncertain: their problems count as neither. */
  readonly uncertain: readonly string[];
  /** Why files are uncertain, and what else may be missing. */
  readonly reasons: readonly string[];
}

/** The problems of files at one moment. */
interface DiagnosticsSnapshot {
  readonly files: ReadonlyMap<string, FileProblems>;
  readonly sightings: readonly Sighting[];
  /** Files that no server checks. */
  readonly unserved: ReadonlySet<string>;
  readonly errors: readonly string[];
}

/** Reports the problems of files. */
export type DiagnosticsSource = Pick<Answering, 'diagnostics'>;

/** Makes servers check files on the disk while the scope of the comparison is still being computed. */
export function openDiagnosticsSource(
  { backend }: ToolContext,
  paths: readonly string[],
  call: Call,
): DiagnosticsSource {
  const pending = new Map(paths.map((path) => [path, backend.diagnostics([path], call)]));
  // The result may never be awaited, and an unhandled rejection would end the process.
  for (const reply of pending.values()) reply.catch(() => {});
  return {
    diagnostics(files, inner) {
      const [only = ''] = files.length === 1 ? files : [];
      const reply = pending.get(only);
      return reply ? until(reply, cancelSignalOf(inner)) : backend.diagnostics(files, inner);
    },
  };
}

/** Returns what a change would introduce and fix, with its texts only in the servers' memory. */
export async function previewDelta(
  context: ToolContext,
  plan: Plan,
  scope: ChangeScope,
  call: Call,
  disk: DiagnosticsSource = context.backend,
): Promise<DiagnosticsDelta> {
  const { before, after, isSeen, isOfData } = scope;
  // Servers look for files on the disk, so they would report imports of a file that is not there yet as broken.
  if (plan.operations.some(({ kind }) => kind === 'move'))
    return { isCompared: false, introduced: [], fixed: [], uncertain: [], reasons: [onceApplied] };
  const texts = new Map(
    plan.files.flatMap(({ path, newPath, after: text }): [string, string][] =>
      text === undefined ? [] : [[newPath ?? path, text]],
    ),
  );
  const documents = new Map([...texts].map(([path, text]) => [path, documentOf(path, text)]));
  const overlaid = { ...context, workspace: overlaidWorkspace(context.workspace, documents) };
  const old = await takeSnapshot(
    context,
    { ...scope, paths: before },
    disk,
    call,
    limits.shares.diagnosticsBefore,
  );
  const check = (paths: readonly string[]) =>
    withinPart(call, { margin: limits.change.margin }, (inner) =>
      context.backend
        .overlay(texts, inner, (answering) =>
          takeSnapshot(overlaid, { ...scope, paths }, answering, inner, 1),
        )
        .catch((thrown: unknown) => failedSnapshot(paths, thrown)),
    );
  const fresh = await check(after);
  cancelSignalOf(call).throwIfAborted();
  const delta = await confirmed(compareSnapshots(old, fresh, scope), check);
  cancelSignalOf(call).throwIfAborted();
  const unseen = [...(isSeen ? [] : [notInPreview]), ...(isOfData ? [readFromDisk] : [])];
  return { ...delta, reasons: [...delta.reasons, ...unseen] };
}

/**
 * Checks the files in which problems appear once more, alone. What a checker says may depend on what it was asked before:
 * problems that it reports only once are not the change's for certain, and not settled.
 */
async function confirmed(
  delta: DiagnosticsDelta,
  check: (paths: readonly string[]) => Promise<DiagnosticsSnapshot>,
): Promise<DiagnosticsDelta> {
  const paths = [...new Set(delta.introduced.map(({ path }) => path))];
  if (paths.length === 0 || paths.length > limits.change.confirmed) return delta;
  const { files, sightings } = await check(paths);
  const missing = new Set(problemDelta(sightings, delta.introduced).introduced);
  const unsure = delta.introduced.filter((one) => missing.has(one) && files.get(one.path)?.state === 'fresh');
  if (unsure.length === 0) return delta;
  return {
    ...delta,
    introduced: delta.introduced.filter((one) => !unsure.includes(one)),
    uncertain: [...new Set([...delta.uncertain, ...unsure.map(({ path }) => path)])].sort(),
    reasons: [...delta.reasons, onlyOnce].slice(-limits.change.reasons),
  };
}

const onlyOnce = 'A problem was reported in one of two checks of the same text.';

const notInPreview =
  'Servers still see moved or deleted files at their old paths: new problems are known once it is applied.';

const readFromDisk =
  'Servers read the changed data from the disk: problems of files that use it are known once it is applied.';

const onceApplied =
  'Problems are known once it is applied: servers still see moved files at their old paths.';

const notAll = `More files may depend on it than the ${limits.change.dependents} that were compared: get_diagnostics lists the rest.`;

const mayChangeAll =
  'A configuration changes: what it means for other files is not compared, and get_diagnostics lists it.';

/** Takes the problems of the files before a change is written. */
export function snapshotBefore(
  context: ToolContext,
  scope: ChangeScope,
  call: Call,
): Promise<DiagnosticsSnapshot> {
  return takeSnapshot(
    context,
    { ...scope, paths: scope.before },
    context.backend,
    call,
    limits.shares.diagnosticsBefore,
  );
}

/** Returns what a change on the disk has introduced and fixed. */
export async function deltaSince(
  context: ToolContext,
  old: DiagnosticsSnapshot,
  scope: ChangeScope,
  call: Call,
): Promise<DiagnosticsDelta> {
  const fresh = await takeSnapshot(context, { ...scope, paths: scope.after }, context.backend, call, 1);
  return compareSnapshots(old, fresh, scope);
}

/** Takes the problems of files. An error here does not fail the change: it makes the result uncertain. */
async function takeSnapshot(
  context: ToolContext,
  {
    paths,
    dependents,
    word,
  }: Pick<ChangeScope, 'dependents' | 'word'> & { readonly paths: readonly string[] },
  answering: DiagnosticsSource,
  call: Call,
  share: number,
): Promise<DiagnosticsSnapshot> {
  const unserved = new Set<string>();
  const errors = new Set<string>();
  const ask = (path: string, inner: Call) =>
    answering.diagnostics([path], inner).then(
      ({ answer, doubts }) => {
        for (const { detail } of doubts) errors.add(detail);
        return answer;
      },
      (thrown: unknown) => {
        const { code, message } = asLspanError(thrown);
        // It is normal that no server is installed for a text that only mentions what is touched.
        const isBeside = dependents.has(path) || (word !== undefined && mayNameCode(path));
        const isMissing = code === 'not_installed' && isBeside;
        if (code === 'not_supported' || isMissing) unserved.add(path);
        else errors.add(message);
        return [];
      },
    );
  const answers = await withinPart(call, { share, margin: limits.change.margin }, (inner) =>
    Promise.all(paths.map((path) => ask(path, inner))),
  );
  const asked = new Set(paths);
  const all = answers.flat().filter(({ path, related }) => !related || !asked.has(path));
  const files = new Map(all.map((file) => [file.path, file]));
  const sightings = await withCodeContext(context, [...files.values()], false);
  return { files, sightings, unserved, errors: [...errors] };
}

function failedSnapshot(paths: readonly string[], thrown: unknown): DiagnosticsSnapshot {
  const { code, message } = asLspanError(thrown);
  const isUnserved = code === 'not_supported';
  return {
    files: new Map(),
    sightings: [],
    unserved: new Set(isUnserved ? paths : []),
    errors: isUnserved ? [] : [message],
  };
}

function compareSnapshots(
  old: DiagnosticsSnapshot,
  fresh: DiagnosticsSnapshot,
  { before, after, renamed, skipped, isCapped, isConfigured, word }: ChangeScope,
): DiagnosticsDelta {
  const nameOf = (path: string) => renamed.get(path) ?? path;
  const olds = new Map([...old.files].map(([path, file]) => [nameOf(path), file]));
  const [wasAsked, isAsked] = [new Set(before.map(nameOf)), new Set(after)];
  const unserved = new Set([...[...old.unserved].map(nameOf), ...fresh.unserved]);
  const isCertain = (file: FileProblems | undefined, asked: boolean, related: boolean) =>
    file ? file.state === 'fresh' : !asked && !related;
  const paths = [...new Set([...wasAsked, ...isAsked, ...olds.keys(), ...fresh.files.keys()])];
  const isCompared = (path: string) => {
    const related = !wasAsked.has(path) && !isAsked.has(path);
    return (
      isCertain(olds.get(path), wasAsked.has(path), related) &&
      isCertain(fresh.files.get(path), isAsked.has(path), related)
    );
  };
  const compared = new Set(paths.filter(isCompared));
  const own = ({ path }: Sighting) => compared.has(path);
  const moved = old.sightings.map((one) => ({ ...one, path: nameOf(one.path) }));
  const inNewWords = new Map(moved.filter(own).map((one) => [word ? inWords(one, word) : one, one]));
  const renamedDelta = problemDelta([...inNewWords.keys()], fresh.sightings.filter(own));
  // The word of a message may mean something else. Such a message has not changed.
  const { introduced, fixed } = problemDelta(
    renamedDelta.fixed.flatMap((one) => inNewWords.get(one) ?? []),
    renamedDelta.introduced,
  );
  const uncertain = paths.filter((path) => !compared.has(path) && !unserved.has(path));
  const unseen = [...(isCapped ? [notAll] : []), ...(isConfigured ? [mayChangeAll] : [])];
  const reasons = new Set([...unseen, ...old.errors, ...fresh.errors]);
  return {
    isCompared: true,
    introduced,
    fixed: surelyFixed(fixed, introduced),
    uncertain: [...uncertain, ...skipped].sort(),
    reasons: [...reasons].slice(0, limits.change.reasons),
  };
}

/** Returns a problem in the words of the text after a rename. Its range stays, which only decides between equals. */
function inWords(one: Sighting, word: RenamedWord): Sighting {
  const { problem, line, above, below } = one;
  const message = withRenamedWord(problem.message, word);
  return {
    ...one,
    problem: { ...problem, message },
    line: withRenamedWord(line, word),
    above: withRenamedWord(above, word),
    below: withRenamedWord(below, word),
  };
}
