import type { Call } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import type { Freshness } from '../../../core/problems.ts';
import { type Json, object, text } from '../../../core/runtime/json.ts';
import { joined } from '../../../core/runtime/slices.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { ReportStore } from '../session/report-store.ts';
import { requestWithRetry } from '../session/request-retry.ts';
import type { Session } from '../session/session.ts';

/** Raw diagnostics of a file, and of related files. */
export interface ReportedDiagnostics {
  readonly state: Freshness;
  readonly items: readonly unknown[];
  readonly related?: readonly Related[];
}

/** Diagnostics of another file than the one asked about. */
export interface Related {
  readonly path: string;
  readonly items: readonly unknown[];
}

/** Pulls the diagnostics of one file, once for each identifier of the server. */
export async function pullDiagnostics(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<ReportedDiagnostics> {
  const pulls = pullOptions(session).map((option) => pull(session, workspace, option, path, call));
  const spoken = await Promise.all(pulls);
  const worst = (['pending', 'stale'] as const).find((state) => spoken.some((one) => one.state === state));
  return {
    state: worst ?? 'fresh',
    items: joined(spoken.map(({ items }) => items)),
    related: spoken.flatMap(({ related = [] }) => related),
  };
}

async function pull(
  session: Session,
  workspace: Workspace,
  option: PullOption,
  path: string,
  call: Call,
): Promise<ReportedDiagnostics> {
  const shelf = session.diagnostics.pulled(option.identifier);
  const previousResultId = shelf.resultId(path);
  const params = {
    textDocument: { uri: workspace.uri(path) },
    ...identifierParam(option),
    ...(previousResultId === undefined ? {} : { previousResultId }),
  };
  const report = await requestReport(session, 'textDocument/diagnostic', params, call);
  const items = report === notNow ? undefined : shelf.take(path, report);
  if (items) return { state: 'fresh', items, related: relatedTo(path, shelf, workspace, report) };
  const before = shelf.items(path);
  return before ? { state: 'stale', items: before } : { state: 'pending', items: [] };
}

/** Returned if a server cancelled a request and does not want it again. */
export const notNow = Symbol('not now');

/** Requests a report; retries if the server was interrupted, unless it does not want the request again. */
export function requestReport(session: Session, method: string, params: Json, call: Call): Promise<unknown> {
  const isPassing = (error: ResponseError) => !isUnwanted(error);
  return requestWithRetry(session, method, params, call, isPassing).catch((error: unknown) => {
    if (error instanceof LspanError && isUnwanted(error.cause)) return notNow;
    throw error;
  });
}

/** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnosticServerCancellationData */
function isUnwanted(error: unknown): boolean {
  return error instanceof ResponseError && object(error.data).retriggerRequest === false;
}

/** Reads the related documents of a report, with our own spelling of their paths. */
function relatedTo(
  path: string,
  shelf: ReportStore,
  workspace: Workspace,
  report: unknown,
): readonly Related[] {
  return Object.entries(object(object(report).relatedDocuments)).flatMap(([uri, other]) => {
    const admitted = workspace.fromUri(uri);
    if (admitted.standing !== 'inside' || admitted.path === path) return [];
    const items = shelf.take(admitted.path, other);
    return items ? [{ path: admitted.path, items }] : [];
  });
}

/** One identifier under which diagnostics can be pulled: each has its own set. */
export interface PullOption {
  /** Empty if the server gives none. */
  readonly identifier: string;
  readonly workspace: boolean;
}

/** Returns the ways to pull diagnostics; empty if the server publishes them instead. */
export function pullOptions({ capabilities }: Session): readonly PullOption[] {
  const byName = new Map<string, PullOption>();
  for (const options of capabilities.everyOptions('textDocument/diagnostic', 'diagnosticProvider')) {
    const identifier = text(options.identifier) ?? '';
    // A server that changes its options registers again before it unregisters.
    byName.set(identifier, { identifier, workspace: options.workspaceDiagnostics === true });
  }
  return [...byName.values()];
}

/** Returns the identifier as a request parameter. */
export function identifierParam({ identifier }: PullOption): { readonly identifier?: string } {
  return identifier === '' ? {} : { identifier };
}
