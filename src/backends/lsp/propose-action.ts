import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Action } from '../../core/questions.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Sources } from './gather-problems.ts';
import { type Json, list, object } from './json.ts';
import { keyOf } from './read-actions.ts';
import { joinProposals, readProposal, withSeen } from './read-proposals.ts';
import { requestSteadily } from './request-steadily.ts';
import { readCommand, runCommand } from './run-command.ts';
import { notTrusted } from './server-troubles.ts';
import type { Session } from './session.ts';

/** What an action would change, as the server that offered it says: its edit, then what its command asks for. */
export async function proposeAction(
  { router, workspace, use }: Sources,
  action: Action,
  call: Call,
): Promise<Proposal> {
  if (action.disabled !== undefined) throw disabled(action);
  await ensureFresh(workspace, action);
  const offering = router.serving(action.path, 'actions');
  const slot = offering.find(({ definition }) => definition.id === action.server);
  if (!slot) throw outdated(`${action.server} is not asked for actions any more`);
  const { definition, root } = slot;
  const mayRun = () => {
    const trust = router.trustIn(root, definition);
    if (definition.needsTrust !== undefined && !trust.granted) throw notTrusted(definition, trust);
  };
  const { value } = await use(slot, 'actions', call, async (session, inner) => {
    await session.documents.sync([action.path]);
    await session.ready(inner);
    return proposalOf(session, workspace, action, mayRun, inner);
  });
  return value;
}

async function proposalOf(
  session: Session,
  workspace: Workspace,
  action: Action,
  mayRun: () => void,
  call: Call,
): Promise<Proposal> {
  const { encoding, definition } = session;
  const read = (raw: unknown) => withSeen(readProposal(raw, { server: definition.id, encoding }), workspace);
  const { edit, ...told } = await resolved(session, action, call);
  const own = await read(edit);
  // Positions of an edit that came with the offer are about the texts of then, which were compared.
  if (object(action.sent).edit === undefined) ensureVersions(session, workspace, own);
  const command = readCommand(told);
  const isDone = own.steps.length > 0;
  if (!command) return own;
  const edits = await runCommand(session, command, { mayRun, isDone }, call);
  const more = await Promise.all(edits.map(read));
  for (const one of more) ensureVersions(session, workspace, one);
  return joinProposals([own, ...more]);
}

/** The action with its edit, where the server works that out only when it is asked. */
async function resolved(session: Session, action: Action, call: Call): Promise<Json> {
  const sent = object(action.sent);
  const options = session.capabilities.everyOptions('textDocument/codeAction', 'codeActionProvider');
  const isWhole = sent.edit !== undefined || typeof sent.command === 'string';
  const isOpen = sent.data !== undefined || sent.command === undefined;
  if (isWhole || !isOpen || !options.some(({ resolveProvider }) => resolveProvider === true)) return sent;
  const offered = await offeredAgain(session, action, call);
  return { ...offered, ...object(await requestSteadily(session, 'codeAction/resolve', offered, call)) };
}

/** Some servers know only the actions that they offered last. */
async function offeredAgain(session: Session, { key, request }: Action, call: Call): Promise<Json> {
  const answer = await requestSteadily(session, 'textDocument/codeAction', request, call);
  const same = list(answer).find((one) => keyOf(one, object(request)) === key);
  if (same === undefined) throw outdated(`${session.definition.id} does not offer it any more`);
  return object(same);
}

async function ensureFresh(workspace: Workspace, action: Action): Promise<void> {
  for (const [path, hash] of Object.entries(action.seen)) {
    const document = await workspace.read(path).catch(() => undefined);
    if (document?.hash !== hash)
      throw outdated(`${workspace.show(path)} has changed since the action was offered`);
  }
}

/** A version that the server does not have any more means positions in another text. */
function ensureVersions({ definition, documents }: Session, workspace: Workspace, { steps }: Proposal): void {
  for (const step of steps) {
    if (step.kind !== 'edit' || step.version === undefined) continue;
    const { path } = workspace.admit(step.uri);
    const present = documents.version(path);
    if (present !== undefined && present !== step.version)
      throw outdated(`${definition.id} spoke of an older text of ${workspace.show(path)}`);
  }
}

const listAgain = 'List the actions again with get_code_actions, and choose from those.';

function outdated(why: string): LspanError {
  return new LspanError('stale', `This action cannot be carried out: ${why}.`, { nextStep: listAgain });
}

function disabled({ server }: Action): LspanError {
  const message = `${server} says that this action cannot be done now; the list of actions tells why.`;
  return new LspanError('refused', message, { nextStep: 'Choose another action, or another range.' });
}
