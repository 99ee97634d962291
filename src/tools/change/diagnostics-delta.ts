import type { Answering } from '../../core/backend.ts';
import { beginCall, type Call, cancelSignalOf, until } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { problemDelta, type Sighting } from '../../core/problem-delta.ts';
import type { FileProblems } from '../../core/problems.ts';
import type { Plan } from '../../edits/plan.ts';
import { overlaidWorkspace } from '../../workspace/derived-workspace.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { withCodeContext } from '../show/problem-context.ts';
import type { ChangeScope } from './change-scope.ts';

/** What became of problems by a change, as far as the servers tell. */
export interface DiagnosticsDelta {
  /** Where the servers cannot see the change yet, nothing was. */
  readonly isCompared: boolean;
  readonly introduced: readonly Sighting[];
  readonly fixed: readonly Sighting[];
  /** Files about which one side is not known for sure: their problems count as neither. */
  readonly notSettled: readonly string[];
  /** Why that is, and what else keeps it from being the whole truth. */
  readonly because: readonly string[];
}

/** The problems of files at one moment. */
export interface DiagnosticsSnapshot {
  readonly files: ReadonlyMap<string, FileProblems>;
  readonly sightings: readonly Sighting[];
  /** Files that no server checks at all. */
  readonly unserved: ReadonlySet<string>;
  readonly troubles: readonly string[];
}

/** Who tells the problems of files. */
export type DiagnosticsSource = Pick<Answering, 'diagnostics'>;

/** Has servers begin to look at files as they are on the disk, while it is still worked out what is to be compared. */
export function openDiagnosticsSource(
  { backend }: ToolContext,
  paths: readonly string[],
  call: Call,
): DiagnosticsSource {
  const begun = new Map(paths.map((path) => [path, backend.diagnostics([path], call)]));
  // Nobody may come to ask, and a rejection that nobody hears would end the process.
  for (const asked of begun.values()) asked.catch(() => {});
  return {
    diagnostics(files, inner) {
      const [only = ''] = files.length === 1 ? files : [];
      const asked = begun.get(only);
      return asked ? until(asked, cancelSignalOf(inner)) : backend.diagnostics(files, inner);
    },
  };
}

/** What a change would introduce and fix, with the texts that it would leave in the servers' memory only. */
export async function previewDelta(
  context: ToolContext,
  plan: Plan,
  scope: ChangeScope,
  call: Call,
  disk: DiagnosticsSource = context.backend,
): Promise<DiagnosticsDelta> {
  const { before, after, dependents, isSeen } = scope;
  // Servers look for files on the disk: what imports one that is yet to come there would be told as broken.
  if (plan.operations.some(({ kind }) => kind === 'move'))
    return { isCompared: false, introduced: [], fixed: [], notSettled: [], because: [onceApplied] };
  const texts = new Map(
    plan.files.flatMap(({ path, newPath, after: text }): [string, string][] =>
      text === undefined ? [] : [[newPath ?? path, text]],
    ),
  );
  const documents = new Map([...texts].map(([path, text]) => [path, documentOf(path, text)]));
  const overlaid = { ...context, workspace: overlaidWorkspace(context.workspace, documents) };
  const old = await lookAt(
    context,
    { paths: before, dependents },
    disk,
    call,
    limits.shares.diagnosticsBefore,
  );
  const fresh = await inTime(call, 1, (inner) =>
    context.backend
      .overlay(texts, inner, (answering) =>
        lookAt(overlaid, { paths: after, dependents }, answering, inner, 1),
      )
      .catch((thrown: unknown) => blind(after, thrown)),
  );
  cancelSignalOf(call).throwIfAborted();
  const delta = compareSnapshots(old, fresh, scope);
  return isSeen ? delta : { ...delta, because: [...delta.because, notInPreview] };
}

const notInPreview =
  'Servers still see moved or deleted files where they are: what follows from that is known once it is applied.';

const onceApplied =
  'Problems are told once it is applied: until then servers see moved files where they are.';

const notAll = `More files may depend on it than the ${limits.change.dependents} that were compared: get_diagnostics tells the rest.`;

/** The problems of the files before a change is written. */
export function snapshotBefore(
  context: ToolContext,
  { before, dependents }: ChangeScope,
  call: Call,
): Promise<DiagnosticsSnapshot> {
  return lookAt(
    context,
    { paths: before, dependents },
    context.backend,
    call,
    limits.shares.diagnosticsBefore,
  );
}

/** What a change that is on the disk has introduced and fixed. */
export async function deltaSince(
  context: ToolContext,
  old: DiagnosticsSnapshot,
  scope: ChangeScope,
  call: Call,
): Promise<DiagnosticsDelta> {
  const { after, dependents } = scope;
  return compareSnapshots(
    old,
    await lookAt(context, { paths: after, dependents }, context.backend, call, 1),
    scope,
  );
}

/** Works with a share of the time that is left, but for a margin in which the answer is made. */
export async function inTime<T>(call: Call, share: number, work: (inner: Call) => Promise<T>): Promise<T> {
  const left = call.deadline - performance.now() - limits.change.margin;
  const inner = beginCall(
    { time: Math.max(1, left * share), report: call.report, scope: call.scope },
    cancelSignalOf(call),
  );
  return work(inner).finally(() => inner[Symbol.dispose]());
}

/** Nothing that goes wrong here is a failure of the change: it is told as what is not known. */
async function lookAt(
  context: ToolContext,
  { paths, dependents }: { paths: readonly string[]; dependents: ReadonlySet<string> },
  answering: DiagnosticsSource,
  call: Call,
  share: number,
): Promise<DiagnosticsSnapshot> {
  const unserved = new Set<string>();
  const troubles = new Set<string>();
  const ask = (path: string, inner: Call) =>
    answering.diagnostics([path], inner).then(
      ({ answer, doubts }) => {
        for (const { detail } of doubts) troubles.add(detail);
        return answer;
      },
      (thrown: unknown) => {
        const { code, message } = asLspanError(thrown);
        // That a text which only mentions what is touched has no server here is no news.
        const isMissing = code === 'not_installed' && dependents.has(path);
        if (code === 'not_supported' || isMissing) unserved.add(path);
        else troubles.add(message);
        return [];
      },
    );
  const told = await inTime(call, share, (inner) => Promise.all(paths.map((path) => ask(path, inner))));
  const asked = new Set(paths);
  const all = told.flat().filter(({ path, related }) => !related || !asked.has(path));
  const files = new Map(all.map((file) => [file.path, file]));
  const sightings = await withCodeContext(context, [...files.values()], false);
  return { files, sightings, unserved, troubles: [...troubles] };
}

function blind(paths: readonly string[], thrown: unknown): DiagnosticsSnapshot {
  const { code, message } = asLspanError(thrown);
  const isUnserved = code === 'not_supported';
  return {
    files: new Map(),
    sightings: [],
    unserved: new Set(isUnserved ? paths : []),
    troubles: isUnserved ? [] : [message],
  };
}

function compareSnapshots(
  old: DiagnosticsSnapshot,
  fresh: DiagnosticsSnapshot,
  { before, after, renamed, skipped, isCapped }: ChangeScope,
): DiagnosticsDelta {
  const nameOf = (path: string) => renamed.get(path) ?? path;
  const olds = new Map([...old.files].map(([path, file]) => [nameOf(path), file]));
  const [wasAsked, isAsked] = [new Set(before.map(nameOf)), new Set(after)];
  const unserved = new Set([...[...old.unserved].map(nameOf), ...fresh.unserved]);
  const isKnown = (file: FileProblems | undefined, asked: boolean, beside: boolean) =>
    file ? file.state === 'fresh' : !asked && !beside;
  const paths = [...new Set([...wasAsked, ...isAsked, ...olds.keys(), ...fresh.files.keys()])];
  const isCompared = (path: string) => {
    const beside = !wasAsked.has(path) && !isAsked.has(path);
    return (
      isKnown(olds.get(path), wasAsked.has(path), beside) &&
      isKnown(fresh.files.get(path), isAsked.has(path), beside)
    );
  };
  const compared = new Set(paths.filter(isCompared));
  const own = ({ path }: Sighting) => compared.has(path);
  const moved = old.sightings.map((one) => ({ ...one, path: nameOf(one.path) }));
  const { introduced, fixed } = problemDelta(moved.filter(own), fresh.sightings.filter(own));
  const unsettled = paths.filter((path) => !compared.has(path) && !unserved.has(path));
  return {
    isCompared: true,
    introduced,
    fixed,
    notSettled: [...unsettled, ...skipped].sort(),
    because: [...new Set([...(isCapped ? [notAll] : []), ...old.troubles, ...fresh.troubles])].slice(
      0,
      limits.change.reasons,
    ),
  };
}
