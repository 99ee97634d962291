import type { Call } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import type { Proposal } from '../../../core/proposal.ts';
import type { Action } from '../../../core/question.ts';
import { type Json, list, object } from '../../../core/runtime/json.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { joinProposals, readProposal, withSeen } from '../convert/proposal.ts';
import type { Translation } from '../convert/translation.ts';
import type { DiagnosticsContext } from '../diagnostics/file-diagnostics.ts';
import { changesDuringCall } from '../documents/changes-during-call.ts';
import { notTrusted } from '../errors/server-errors.ts';
import { keyOf } from '../questions/actions.ts';
import { type MoveRequestSender, withMoveEdits } from '../questions/edits-of-moves.ts';
import { requestWithRetry } from '../session/request-retry.ts';
import type { Session } from '../session/session.ts';
import { readCommand, runCommand } from './run-command.ts';
import { translationFor } from './session-stages.ts';

/** Returns what an action would change, from the server that offered it: its edit, then its command's. */
export async function proposeAction(
  { router, workspace, use }: DiagnosticsContext,
  action: Action,
  call: Call,
): Promise<Proposal> {
  if (action.disabled !== undefined) throw disabled(action);
  await ensureFresh(workspace, action);
  const offering = router.serving(action.path, 'actions');
  const slot = offering.find(({ definition }) => definition.id === action.server);
  if (!slot) throw outdated(`lspan no longer asks ${action.server} for actions`);
  const { definition, root } = slot;
  const mayRun = () => {
    const trust = router.trustIn(root, definition);
    if (definition.trust?.runs !== undefined && !trust.granted) throw notTrusted(definition, trust);
  };
  const { value } = await use(slot, 'actions', call, async (session, inner) => {
    const since = changesDuringCall(workspace);
    const translation = translationFor(session, workspace, since);
    const ready = session.documents.sync([action.path]).then(() => session.ready(inner));
    const proposed = ready.then(() => proposalOf(session, translation, action, mayRun, inner));
    return proposed.finally(() => since.end());
  });
  return value;
}

async function proposalOf(
  session: Session,
  translation: Translation,
  action: Action,
  mayRun: () => void,
  call: Call,
): Promise<Proposal> {
  const { told: _told, ...ofThen } = translation;
  const { edit, ...rest } = await resolved(session, action, call);
  // An edit sent with the offer refers to the texts of that time, which were compared.
  const from = object(action.sent).edit === undefined ? translation : ofThen;
  const line: MoveRequestSender = {
    optionsOf: (method, capability) => session.capabilities.everyOptions(method, capability),
    send: (params, method) => requestWithRetry(session, method, params, call),
  };
  const read = async (raw: unknown, by: Translation) =>
    withSeen(await withMoveEdits(readProposal(raw, by), by, line), by);
  const own = await read(edit, from);
  const command = readCommand(rest);
  if (!command) return own;
  const edits = await runCommand(session, command, { mayRun, isDone: own.steps.length > 0 }, call);
  const more = await Promise.all(edits.map((raw) => read(raw, translation)));
  return inOnePiece([own, ...more], action);
}

/** Rejects a second edit of a file: nothing says if it refers to the text before or after the first. */
function inOnePiece(proposals: readonly Proposal[], { server }: Action): Proposal {
  const files = proposals.map(
    ({ steps }) => new Set(steps.flatMap((step) => ('uri' in step ? step.uri : []))),
  );
  const all = files.flatMap((uris) => [...uris]);
  if (new Set(all).size === all.length) return joinProposals(proposals);
  throw new LspanError('not_supported', `${server} changes a file twice in this action.`, {
    nextStep: 'Choose another action, or make the change yourself.',
  });
}

/** Returns the action with its edit, which some servers compute only on request. */
async function resolved(session: Session, action: Action, call: Call): Promise<Json> {
  const sent = object(action.sent);
  const options = session.capabilities.everyOptions('textDocument/codeAction', 'codeActionProvider');
  const isWhole = sent.edit !== undefined || typeof sent.command === 'string';
  const isOpen = sent.data !== undefined || sent.command === undefined;
  if (isWhole || !isOpen || !options.some(({ resolveProvider }) => resolveProvider === true)) return sent;
  const offered = await offeredAgain(session, action, call);
  return { ...offered, ...object(await requestWithRetry(session, 'codeAction/resolve', offered, call)) };
}

/** Requests the actions again: some servers know only those that they offered last. */
async function offeredAgain(session: Session, { key, request }: Action, call: Call): Promise<Json> {
  const answer = await requestWithRetry(session, 'textDocument/codeAction', request, call);
  const same = list(answer).find((one) => keyOf(one, object(request)) === key);
  if (same === undefined) throw outdated(`${session.definition.id} no longer offers it`);
  return object(same);
}

async function ensureFresh(workspace: Workspace, action: Action): Promise<void> {
  for (const [path, hash] of Object.entries(action.seen)) {
    const document = await workspace.read(path).catch(() => undefined);
    if (document?.hash !== hash)
      throw outdated(`${workspace.show(path)} has changed since the action was offered`);
  }
}

const listAgain = 'List the actions again with get_code_actions, and choose one.';

function outdated(why: string): LspanError {
  return new LspanError('stale', `This action cannot be applied: ${why}.`, { nextStep: listAgain });
}

function disabled({ server }: Action): LspanError {
  const message = `${server} cannot run this action now; the list of actions says why.`;
  return new LspanError('refused', message, { nextStep: 'Choose another action, or another range.' });
}
