import { type Call, cancelSignalOf, timeLeft, within } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { CheckCommand } from '../../../servers/diagnostics-facts.ts';
import type { Session } from '../session/session.ts';
import type { ReportedDiagnostics } from './pull-diagnostics.ts';

/** Returns whether the last publication predates something sent to the server: it may not publish again. */
export function isOutdated(session: Session, path: string): boolean {
  return lastWord(session, path)?.fresh === false;
}

/** Waits for a publication about our version, and for quiet after it: some servers publish in steps. */
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
    // The server may have been sent a change during the quiet.
  } while (published()?.fresh === false && performance.now() < end);
  const spoken = published();
  if (!spoken) return { state: 'pending', items: [] };
  if (!spoken.fresh) return { state: 'stale', items: spoken.items };
  return { state: diagnostics.settled(path) ? 'fresh' : 'pending', items: spoken.items };
}

/**
 * Waits for a publication about our version. Resends to a silent server once it has published something else:
 * a server that has published nothing may still be checking, and would start over.
 */
async function hearAnew(
  session: Session,
  path: string,
  { end, patience: timeouts }: { readonly end: number; readonly patience: number },
  call: Call,
): Promise<void> {
  const { documents, diagnostics } = session;
  const { checkCommand } = session.definition.diagnostics ?? {};
  const pause = Math.min(limits.diagnostics.again, timeouts * limits.diagnostics.silentShare);
  let { resends } = limits.diagnostics;
  while (lastWord(session, path)?.fresh !== true && performance.now() < end) {
    if (await isPassedOver(session, path, end, call)) await keepLastWord(session, path, resends--);
    if (lastWord(session, path)?.fresh === true) return;
    const isSilent = lastWord(session, path) === undefined && checkCommand !== undefined;
    const time = Math.min(isSilent ? quietOf(session) : pause, end - performance.now());
    const isHeard = await hears(session, time, call);
    if (isSilent && !isHeard && lastWord(session, path) === undefined)
      await confirmSilence(session, path, end, call);
    if (!isOutdated(session, path) || performance.now() >= end) continue;
    // What it published just before it was notified or became ready may have been its last word; and some
    // servers publish nothing for a version if they have just published the same for another.
    await documents.resend(path, isHeard ? undefined : { pause, spokeAt: diagnostics.spokeAt });
  }
}

/** Confirms the last word of a server that has no other; sends it a document again of which it never spoke. */
async function keepLastWord(session: Session, path: string, resends: number): Promise<void> {
  const { diagnostics } = session;
  // For an overlay, only the versions of what it said before are known.
  const isKnown = diagnostics === diagnostics.disk && lastWord(session, path) !== undefined;
  if (isKnown) diagnostics.confirm(path);
  else if (resends > 0) await session.documents.resend(path, atOnce);
}

/** Sends a document again, however short the silence is. */
export const atOnce = { pause: 0, spokeAt: Number.POSITIVE_INFINITY };

/**
 * Returns whether the server has ended its checks without a word about our version: it does not repeat what it published
 * about the file before it was opened.
 */
async function isPassedOver(session: Session, path: string, end: number, call: Call): Promise<boolean> {
  const { diagnostics, documents } = session;
  const isMissed = () => hasEnded(session) && lastWord(session, path)?.fresh !== true;
  if (!isMissed()) return false;
  const [sent, version] = [diagnostics.toldAt, documents.version(path)];
  // It reads in turn, and so has begun to check all that it was sent before the question.
  const read = session.request('$/lspan/alive', undefined, cancelSignalOf(call)).catch(refused);
  await within(read, end - performance.now(), cancelSignalOf(call));
  const isSame = diagnostics.toldAt === sent && documents.version(path) === version;
  return isSame && isMissed() && performance.now() < end;
}

/** Returns whether the server publishes something, or ends a check, within a time. */
async function hears(session: Session, time: number, call: Call): Promise<boolean> {
  const heard = session.nextPublication().then(() => true);
  return (await within(heard, time, cancelSignalOf(call))) === true;
}

/** Returns the last publication about a file, and whether it covers everything the server knows now. */
function lastWord({ diagnostics, documents }: Session, path: string) {
  return diagnostics.published(path, documents.since(path));
}

async function settle(session: Session, path: string, end: number, call: Call): Promise<void> {
  if (!(await hasChecked(session, path, end, call))) return;
  await lastStep(session, path, end, call);
  if (await isWhole(session, end, call)) session.diagnostics.settle(path);
}

/**
 * Returns whether the server has published all, before the time is up: it has ended its checks, or publishes nothing for
 * a while. As long as a check runs that a later one has outdated, it may publish lists that lack everything.
 */
async function isWhole(session: Session, end: number, call: Call): Promise<boolean> {
  const { checks } = session;
  const quiet = quietOf(session);
  while (!hasEnded(session) && performance.now() + (checks.isRunning ? 0 : quiet) < end) {
    const time = Math.min(quiet, end - performance.now());
    const isHeard = await hears(session, time, call);
    if (!isHeard && time === quiet && checks.isSingle) return true;
  }
  return hasEnded(session);
}

/** Returns whether the server says that it has ended its checks. */
function hasEnded({ checks }: Session): boolean {
  return checks.isTold && !checks.isRunning;
}

/** Waits for what the last step of a check publishes, but not for long: the server may leave some of it out. */
async function lastStep(session: Session, path: string, end: number, call: Call): Promise<void> {
  const { checkCommand } = session.definition.diagnostics ?? {};
  if (checkCommand?.last === undefined) return;
  const { arguments: of, isPublished } = checkCommand.last;
  const answer = await check(session, { ...checkCommand, arguments: of }, path, end, call);
  const last = Math.min(end, performance.now() + limits.diagnostics.lastStep);
  while (performance.now() < last && !isPublished(answer, lastWord(session, path)?.items ?? []))
    await hears(session, last - performance.now(), call);
}

/** Returns whether the server publishes nothing for a while, before the time is up. */
async function becomesQuiet(session: Session, end: number, call: Call): Promise<boolean> {
  const quiet = quietOf(session);
  while (performance.now() + quiet < end) {
    if (!(await hears(session, quiet, call))) return true;
  }
  return false;
}

function quietOf({ definition }: Session): number {
  return definition.diagnostics?.quiet ?? limits.diagnostics.quiet;
}

/** Some servers do not repeat an empty list: confirms it if a check finds nothing and none is published. */
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

/**
 * Confirms that a file has no problems about which the server has said nothing: it may have published the empty list for
 * another text of the file, and does not repeat it.
 */
async function confirmSilence(session: Session, path: string, end: number, call: Call): Promise<void> {
  const { checkCommand } = session.definition.diagnostics ?? {};
  if (checkCommand === undefined) return;
  const { arguments: first, others, last } = checkCommand;
  for (const ofKind of [first, ...others, ...(last ? [last.arguments] : [])]) {
    const one = { ...checkCommand, arguments: ofKind };
    if (!checkCommand.foundNothing(await check(session, one, path, end, call))) return;
  }
  if (lastWord(session, path) === undefined) session.diagnostics.confirm(path);
}

/** Returns whether the server confirms in time that it checked the file; true without a check command. */
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

/** A refusal proves nothing; the end of the server or of the call is rethrown. */
function refused(error: unknown): undefined {
  if (error instanceof ResponseError) return undefined;
  throw error;
}
