import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type FileProblems, type Severity, severities, type WorkspaceProblems } from '../../core/problems.ts';
import { eachInSlices, filterInSlices } from '../../core/runtime/slices.ts';
import { fragmentProblemDoubts } from '../mentions/meaning/fragments.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { withCodeContext } from '../show/problem-context.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import type { ProblemSnapshot } from '../state/problem-snapshot.ts';
import { filePath } from '../target/target-fields.ts';
import { cutDiagnostics, diagnosticsData, toOverview, withFilesOfPage } from './diagnostics-data.ts';
import { listChanges, listedKey, listProblems, toLists } from './list-problems.ts';
import { missingPackages } from './missing-packages.ts';
import { type Missing, type ProblemScope, readScope } from './problem-scope.ts';
import { renderDiagnostics } from './render-diagnostics.ts';

/** Lists the problems that the language servers report. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Problems',
  toolset: 'quality',
  listed: true,
  description:
    'Current errors and warnings, the worst first. Without a path: all projects, changed files and their dependents first; if the time ends, the same call goes on. A path may be a folder or a glob. With `since`: problems introduced and fixed since that answer.',
  input: z.strictObject({
    file_path: filePath.optional(),
    file_paths: z.array(filePath).min(1).max(limits.input.files).optional(),
    min_severity: z.enum(severities).default('hint'),
    since: z.string().min(1).max(limits.input.id).optional().describe('`since` of an earlier answer'),
    ...paging,
  }),
  output: diagnosticsData,
  effects: 'none',
  async answer(context, input, call) {
    const before = input.since === undefined ? undefined : context.problems.find(input.since);
    const scope = await readScope(context, input);
    const { named, missing } = scope;
    const gone = before ? missing.flatMap((given) => coveredAs(context, before, given)) : [];
    const [lost] = missing;
    if (lost && gone.length === 0 && named?.length === 0) throw lost.error;
    const { answer, doubts } = await ask(context, scope, call);
    const { files, whole } = answer;
    const isEach = named !== undefined && !scope.isWide;
    const sightings = await withCodeContext(context, files, isEach);
    const now = await snapshotOf(files, whole, sightings);
    const { min_severity } = input;
    const isWanted = isAtLeast(min_severity);
    const wanted = await filterInSlices(sightings, isWanted);
    const listed = before
      ? await listChanges(
          context,
          await filterSnapshot(before, isWanted),
          await filterSnapshot(now, isWanted),
          [...filesToCompare(scope, files, before), ...gone],
          wanted,
        )
      : await listProblems(wanted);
    const since = now.covered.length > 0 ? await context.problems.keep(now) : undefined;
    const shape = { scope: isEach ? 'files' : 'workspace', min_severity } as const;
    const missed = before || isEach ? [] : await missingPackages(context, wanted);
    const head = {
      ...toOverview(context, shape, answer, await countByFile(wanted)),
      ...(missed.length === 0
        ? {}
        : {
            missing_packages: missed.slice(0, limits.named.packages),
            missing_packages_count: missed.length,
          }),
      ...listed.head,
      ...(since === undefined ? {} : { since }),
    };
    const show = async (some: typeof listed.problems, _: Call, from: number) =>
      withFilesOfPage(context, { ...head, ...toLists(context, some, before !== undefined) }, from);
    return {
      pages: paged(listed.problems, listedKey, show),
      total: listed.problems.length,
      doubts: [
        ...doubts,
        ...problemDoubts(context, files),
        ...(await fragmentProblemDoubts(context, files, call)),
        ...missing.filter((one) => !before || coveredAs(context, before, one).length === 0).map(toDoubt),
      ],
    };
  },
  render: renderDiagnostics,
  count: ({ diagnostics = [], introduced = [], fixed = [] }) =>
    diagnostics.length + introduced.length + fixed.length,
  cut: cutDiagnostics,
});

/** Returns the file of an earlier answer that was named and is gone. */
function coveredAs(
  { workspace }: ToolContext,
  { covered }: ProblemSnapshot,
  { given }: Missing,
): readonly string[] {
  return covered.filter((path) => path === given || workspace.show(path) === given);
}

function toDoubt({ error }: Missing): Doubt {
  return { kind: 'server_unavailable', detail: error.message };
}

async function ask(
  { backend }: ToolContext,
  { named, isWide }: ProblemScope,
  call: Call,
): Promise<Reply<WorkspaceProblems>> {
  if (named === undefined || isWide) return backend.workspaceDiagnostics(call, { among: named });
  const { answer, doubts } = await backend.diagnostics(named, call);
  return { answer: { files: answer, whole: false }, doubts };
}

type IsWanted = (sighting: Sighting) => boolean;

function isAtLeast(severity: Severity): IsWanted {
  const wanted = new Set<Severity>(severities.slice(0, severities.indexOf(severity) + 1));
  return ({ problem }) => wanted.has(problem.severity);
}

async function filterSnapshot(snapshot: ProblemSnapshot, isWanted: IsWanted): Promise<ProblemSnapshot> {
  return { ...snapshot, sightings: await filterInSlices(snapshot.sightings, isWanted) };
}

/** Makes the snapshot for a later comparison: only what is certain about the files that were asked about. */
async function snapshotOf(
  files: readonly FileProblems[],
  whole: boolean,
  sightings: readonly Sighting[],
): Promise<ProblemSnapshot> {
  const sure = files.filter(({ state, related }) => state === 'fresh' && related !== true);
  const covered = new Set(sure.map(({ path }) => path));
  const certain = await filterInSlices(sightings, ({ path }) => covered.has(path));
  return { covered: [...covered], whole, sightings: certain };
}

/** Returns the files to compare; for the workspace or a part of it, also those that only the earlier answer covers. */
function filesToCompare(
  { named, isWide, includes }: ProblemScope,
  files: readonly FileProblems[],
  { covered }: ProblemSnapshot,
): readonly string[] {
  if (named !== undefined && !isWide) return named;
  return [...new Set([...files.map(({ path }) => path), ...covered.filter(includes)])].sort();
}

async function countByFile(sightings: readonly Sighting[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  await eachInSlices(sightings, ({ path }) => void counts.set(path, (counts.get(path) ?? 0) + 1));
  return counts;
}
