import { type Call, cancelSignalOf, timeLeft, within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { CheckCommand } from '../../../servers/definition.ts';
import type { Session } from '../session/session.ts';
import type { ReportedDiagnostics } from './pull-diagnostics.ts';

/** Whether the server has published something before it was told something else: it may leave it at that. */
export function isOutdated(session: Session, path: string): boolean {
  return lastWord(session, path)?.fresh === false;
}

/** Waits for a publication about our version, and for the quiet after it: some servers publish in several steps. */
export async function awaitDiagnostics(
  session: Session,
  path: string,
  timeouts: number,
  call: Call,
): Promise<ReportedDiagnostics> {
  const { diagnostics } = session;
  const end = performance.now() + Math.min(timeouts, timeLeft(call, limits.shares.diagnostics));
  const published = () => lastWord(session, path);
  if (published()?.fresh === false) await confirmNothing(session, path, end, call);
  do {
    if (published()?.fresh !== true) await hearAnew(session, path, { end, patience: timeouts }, call);
    if (published()?.fresh === true && !diagnostics.settled(path)) await settle(session, path, end, call);
    // While it was quiet, it may have been told of a change.
  } while (published()?.fresh === false && performance.now() < end);
  const spoken = published();
  if (!spoken) return { state: 'pending', items: [] };
  if (!spoken.fresh) return { state: 'stale', items: spoken.items };
  return { state: diagnostics.settled(path) ? 'fresh' : 'pending', items: spoken.items };
}

/**
 * Waits for a publication about our version. A server that keeps silent about it is told again once it has spoken of
 * something else: who has said nothing at all may still be checking, and would begin anew.
 */
async function hearAnew(
  session: Session,
  path: string,
  { end, patience: timeouts }: { readonly end: number; readonly patience: number },
  call: Call,
): Promise<void> {
  const { documents, diagnostics } = session;
  const pause = Math.min(limits.diagnostics.again, timeouts * limits.diagnostics.silentShare);
  while (lastWord(session, path)?.fresh !== true && performance.now() < end) {
    const isHeard = await hears(session, Math.min(pause, end - performance.now()), call);
    if (!isOutdated(session, path) || performance.now() >= end) continue;
    // What it published just before it was told, or said that it is ready, may have been its last word; and some say
    // nothing of a version where they have just said the same of another.
    await documents.resend(path, isHeard ? undefined : { pause, spokeAt: diagnostics.spokeAt });
  }
}

/** Whether the server publishes something within a time. */
async function hears(session: Session, time: number, call: Call): Promise<boolean> {
  const heard = session.nextPublication().then(() => true);
  return (await within(heard, time, cancelSignalOf(call))) === true;
}

/** What it has published of a file, and whether that is of all that it knows now. */
function lastWord({ diagnostics, documents }: Session, path: string) {
  return diagnostics.published(path, documents.since(path));
}

async function settle(session: Session, path: string, end: number, call: Call): Promise<void> {
  if (!(await hasChecked(session, path, end, call))) return;
  if (await becomesQuiet(session, end, call)) session.diagnostics.settle(path);
}

/** Whether the server publishes nothing for a while, before the time is up. */
async function becomesQuiet(session: Session, end: number, call: Call): Promise<boolean> {
  const quiet = session.definition.diagnostics?.quiet ?? limits.diagnostics.quiet;
  while (performance.now() + quiet < end) {
    if (!(await hears(session, quiet, call))) return true;
  }
  return false;
}

/** Some servers do not publish again that there is nothing: where a check finds nothing and no word follows, it is so. */
async function confirmNothing(session: Session, path: string, end: number, call: Call): Promise<void> {
  const { diagnostics, definition } = session;
  const { checkCommand } = definition.diagnostics ?? {};
  const last = () => lastWord(session, path);
  if (checkCommand === undefined || last()?.items.length !== 0) return;
  const answer = await check(session, checkCommand, path, end, call);
  if (!checkCommand.foundNothing(answer)) return;
  const isQuiet = await becomesQuiet(session, end, call);
  if (isQuiet && last()?.fresh === false && last()?.items.length === 0) diagnostics.confirm(path);
}

/** Whether the server says in time that it has checked the file; one that cannot be asked says so by publishing. */
async function hasChecked(session: Session, path: string, end: number, call: Call): Promise<boolean> {
  const { checkCommand } = session.definition.diagnostics ?? {};
  return (
    checkCommand === undefined || checkCommand.proves(await check(session, checkCommand, path, end, call))
  );
}

function check(
  session: Session,
  { command, arguments: of }: CheckCommand,
  path: string,
  end: number,
  call: Call,
): Promise<unknown> {
  const params = { command, arguments: of(path) };
  const asked = session.request('workspace/executeCommand', params, cancelSignalOf(call)).catch(refused);
  return within(asked, end - performance.now(), cancelSignalOf(call));
}

/** A refusal proves nothing; that the server has ended, or the call, is told as such. */
function refused(error: unknown): undefined {
  if (error instanceof ResponseError) return undefined;
  throw error;
}
