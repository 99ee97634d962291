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

/** Result of pulling the diagnostics of the whole workspace. */
interface PulledWorkspace {
  /** Raw diagnostics of each reported file. */
  readonly reports: ReadonlyMap<string, readonly unknown[]>;
  /** Files that had problems before and were not reported this time. */
  readonly passedOver: readonly Related[];
  /** True if the report was complete. */
  readonly finished: boolean;
}

/** Returns whether a server supports workspace diagnostics; one still loading gets a moment to register. */
export async function canSurvey(session: Session, call: Call): Promise<boolean> {
  const able = () => pullOptions(session).some(({ workspace }) => workspace);
  const { attempts, wait } = limits.emptyAnswer;
  for (let attempt = 1; !able() && !session.readiness.isReady && attempt < attempts; attempt += 1) {
    await session.nextEvent(wait, cancelSignalOf(call));
  }
  return able();
}

/** Pulls the diagnostics of the whole workspace, once for each identifier of the server. */
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

/** Some servers keep the request open for later results: returns what came until then, as unfinished. */
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

/** Our own timeout is not a failure of the server, which may keep such a request open indefinitely. */
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
  // A report about an older text than the server was sent says nothing about the current one.
  if ((number(version) ?? present) < present) return;
  const items = shelf.take(path, report);
  if (items) reports.set(path, items);
}
