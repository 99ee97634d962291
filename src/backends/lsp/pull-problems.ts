import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import type { Freshness } from '../../core/problems.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { hasMoved, requestSteadily } from './ask-session.ts';
import { type Json, object, text } from './json.ts';
import { ResponseError } from './message.ts';
import type { Session } from './session.ts';

/** What a server said of a file in its own words, and of files that are related to it. */
export interface Spoken {
  readonly state: Freshness;
  readonly items: readonly unknown[];
  readonly related?: ReadonlyMap<string, readonly unknown[]>;
}

const method = 'textDocument/diagnostic';

/** What a server offers to be asked about problems; nothing where it publishes them instead. */
export function pullOptions({ capabilities }: Session): Json | undefined {
  return capabilities.options(method, 'diagnosticProvider');
}

/** Asks a server about the problems of one file. */
export async function pullProblems(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<Spoken> {
  const { pulled } = session.board;
  const previousResultId = pulled.resultId(path);
  const params = {
    textDocument: { uri: workspace.uri(path) },
    ...identifierOf(session),
    ...(previousResultId === undefined ? {} : { previousResultId }),
  };
  const report = await requestReport(session, method, params, call);
  const items = report === notNow ? undefined : pulled.take(path, report);
  if (items) return { state: 'fresh', items, related: relatedTo(path, session, workspace, report) };
  const before = pulled.items(path);
  return before ? { state: 'stale', items: before } : { state: 'pending', items: [] };
}

/** The name under which the server wants to be asked, where it has one. */
export function identifierOf(session: Session): { readonly identifier?: string } {
  const identifier = text(pullOptions(session)?.identifier);
  return identifier === undefined ? {} : { identifier };
}

/** What a server means that has cancelled a request and does not want it again. */
export const notNow = Symbol('not now');

/** Asks for a report, again where the server was disturbed at it, unless it does not want to be asked again. */
export function requestReport(
  session: Session,
  name: string,
  params: Json,
  call: Call,
): Promise<unknown | typeof notNow> {
  const isPassing = (error: ResponseError) => hasMoved(error) && !isUnwanted(error);
  return requestSteadily(session, name, params, call, isPassing).catch((error: unknown) => {
    if (error instanceof LspanError && isUnwanted(error.cause)) return notNow;
    throw error;
  });
}

/** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnosticServerCancellationData */
function isUnwanted(error: unknown): boolean {
  return error instanceof ResponseError && object(error.data).retriggerRequest === false;
}

/** What the server told beside: each file by our own spelling of it. */
function relatedTo(
  path: string,
  { board }: Session,
  workspace: Workspace,
  report: unknown,
): ReadonlyMap<string, readonly unknown[]> {
  const related = new Map<string, readonly unknown[]>();
  for (const [uri, other] of Object.entries(object(object(report).relatedDocuments))) {
    const admitted = workspace.admit(uri);
    if (admitted.standing !== 'inside' || admitted.path === path) continue;
    const items = board.pulled.take(admitted.path, other);
    if (items) related.set(admitted.path, items);
  }
  return related;
}
