import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type FileProblems, type Severity, severities, type WorkspaceProblems } from '../../core/problems.ts';
import { eachInSlices, filterInSlices } from '../../core/runtime/slices.ts';
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
import { renderDiagnostics } from './render-diagnostics.ts';

/** Lists the problems that the language servers report. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Problems',
  toolset: 'quality',
  listed: true,
  description:
    'Current errors and warnings of files, the worst first. Without a path: the workspace, as far as servers check it by themselves. With `since`: problems introduced and fixed since that answer.',
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
    const { named, missing } = await namedFiles(context, input);
    const gone = before ? missing.flatMap((given) => coveredAs(context, before, given)) : [];
    const [lost] = missing;
    if (lost && gone.length === 0 && named?.length === 0) throw lost.error;
    const { answer, doubts } = await ask(context, named, call);
    const { files, whole } = answer;
    const sightings = await withCodeContext(context, files, named !== undefined);
    const now = await snapshotOf(files, whole, sightings);
    const { min_severity } = input;
    const scope = named ? 'files' : 'workspace';
    const isWanted = isAtLeast(min_severity);
    const wanted = await filterInSlices(sightings, isWanted);
    const listed = before
      ? await listChanges(
          context,
          await filterSnapshot(before, isWanted),
          await filterSnapshot(now, isWanted),
          [...filesToCompare(named, files, before), ...gone],
          wanted,
        )
      : await listProblems(wanted);
    const since = now.covered.length > 0 ? await context.problems.keep(now) : undefined;
    const head = {
      ...toOverview(context, { scope, min_severity }, files, await countByFile(wanted)),
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
        ...missing.filter((one) => !before || coveredAs(context, before, one).length === 0).map(toDoubt),
      ],
    };
  },
  render: renderDiagnostics,
  count: ({ diagnostics = [], introduced = [], fixed = [] }) =>
    diagnostics.length + introduced.length + fixed.length,
  cut: cutDiagnostics,
});

type Input = { readonly file_path?: string | undefined; readonly file_paths?: readonly string[] | undefined };

/** Returns the files that are meant in alphabetical order, or `undefined` for the workspace. */
async function namedFiles(
  context: ToolContext,
  { file_path, file_paths }: Input,
): Promise<{ readonly named: readonly string[] | undefined; readonly missing: readonly Missing[] }> {
  if (file_path !== undefined && file_paths !== undefined) {
    throw new LspanError('invalid_input', 'Give either `file_path` or `file_paths`.');
  }
  const given = file_paths ?? (file_path === undefined ? undefined : [file_path]);
  const missing: Missing[] = [];
  const resolved = given?.map((path) =>
    context.workspace.resolve(path).catch((thrown: unknown) => {
      const error = asLspanError(thrown);
      if (error.code !== 'not_found') throw error;
      missing.push({ given: path, error });
      return [];
    }),
  );
  const found = resolved && (await Promise.all(resolved)).flat();
  return { named: found && [...new Set(found)].sort(), missing };
}

/** A named file that does not exist, which does not hide the problems of others. */
interface Missing {
  readonly given: string;
  readonly error: LspanError;
}

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
  named: readonly string[] | undefined,
  call: Call,
): Promise<Reply<WorkspaceProblems>> {
  if (named === undefined) return backend.workspaceDiagnostics(call);
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

/** Returns the files to compare; for the workspace, also those that only the earlier answer covers. */
function filesToCompare(
  named: readonly string[] | undefined,
  files: readonly FileProblems[],
  { covered }: ProblemSnapshot,
): readonly string[] {
  return named ?? [...new Set([...files.map(({ path }) => path), ...covered])].sort();
}

async function countByFile(sightings: readonly Sighting[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  await eachInSlices(sightings, ({ path }) => void counts.set(path, (counts.get(path) ?? 0) + 1));
  return counts;
}
