import { type Call, cancelSignalOf, withinPart } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { list, number, object, text } from '../../../core/runtime/json.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { ReportStore } from '../session/report-store.ts';
import type { Session } from '../session/session.ts';
import {
  identifierParam,
  notNow,
  type PullOption,
  pullOptions,
  type Related,
  requestReport,
} from './pull-diagnostics.ts';

/** What a server said when it was asked about the whole workspace. */
export interface PulledWorkspace {
  /** The problems of each file that it spoke of, in its own words. */
  readonly reports: ReadonlyMap<string, readonly unknown[]>;
  /** Files that had problems before, and that it did not speak of this time. */
  readonly passedOver: readonly Related[];
  /** Whether it came to an end. */
  readonly finished: boolean;
}

/** Whether a server can be asked about the whole workspace; one that is still loading gets a moment to say so. */
export async function canSurvey(session: Session, call: Call): Promise<boolean> {
  const able = () => pullOptions(session).some(({ workspace }) => workspace);
  const { attempts, wait } = limits.emptyAnswer;
  for (let attempt = 1; !able() && !session.readiness.isReady && attempt < attempts; attempt += 1) {
    await session.nextEvent(wait, cancelSignalOf(call));
  }
  return able();
}

/** Asks a server about the problems of the whole workspace, under each name that it gives for it. */
export async function pullWorkspace(
  session: Session,
  workspace: Workspace,
  call: Call,
): Promise<PulledWorkspace> {
  const all = pullOptions(session);
  const able = all.filter((option) => option.workspace);
  const surveys = await Promise.all(able.map((option) => pullAll(session, workspace, option, call)));
  const reports = new Map<string, readonly unknown[]>();
  for (const [path, items] of surveys.flatMap((survey) => [...survey.reports])) {
    reports.set(path, [...(reports.get(path) ?? []), ...items]);
  }
  return {
    reports,
    passedOver: surveys.flatMap(({ passedOver }) => passedOver),
    finished: able.length === all.length && surveys.every(({ finished }) => finished),
  };
}

/**
 * Some servers keep the request open for what comes later: what they have said of files by then counts, and that they
 * did not come to an end is told.
 */
async function pullAll(
  session: Session,
  workspace: Workspace,
  option: PullOption,
  call: Call,
): Promise<PulledWorkspace> {
  const shelf = session.diagnostics.surveyed(option.identifier);
  const known = shelf.paths.filter((path) => (shelf.items(path)?.length ?? 0) > 0);
  const reports = new Map<string, readonly unknown[]>();
  const take = (value: unknown) => {
    for (const report of list(object(value).items)) takeReport(session, workspace, shelf, report, reports);
  };
  const stream = session.partials.open(take);
  call.report(`Waiting for ${session.definition.id} to check the workspace`);
  const params = {
    ...identifierParam(option),
    previousResultIds: shelf.resultIds,
    partialResultToken: stream.token,
  };
  const answer = await withinPart(call, { share: limits.shares.workspacePull }, (part) =>
    requestReport(session, 'workspace/diagnostic', params, part),
  )
    .catch((error: unknown) => keptOpen(error, call))
    .finally(() => stream.close());
  take(answer);
  const missed = known.filter((path) => !reports.has(path));
  const passedOver = missed.map((path) => ({ path, items: shelf.items(path) ?? [] }));
  return { reports, passedOver, finished: answer !== notNow && Array.isArray(object(answer).items) };
}

/** That our own time was up is no failure of the server's, which may keep such a request open for ever. */
function keptOpen(error: unknown, call: Call): typeof notNow {
  if (error instanceof LspanError && error.code === 'timed_out' && !cancelSignalOf(call).aborted)
    return notNow;
  throw error;
}

function takeReport(
  session: Session,
  workspace: Workspace,
  shelf: ReportStore,
  report: unknown,
  reports: Map<string, readonly unknown[]>,
): void {
  const { uri, version } = object(report);
  const { path, standing } = workspace.fromUri(text(uri) ?? '');
  if (standing !== 'inside') return;
  const present = session.documents.since(path) ?? 0;
  // What it says of an older text than it was sent says nothing of this one.
  if ((number(version) ?? present) < present) return;
  const items = shelf.take(path, report);
  if (items) reports.set(path, items);
}
