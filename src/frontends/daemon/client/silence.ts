import { uptime } from 'node:os';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { object } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { readPrivateFile, removePrivateFile } from '../../../platform/files/private-file.ts';
import { fillPrivateFile } from '../../../platform/files/private-folder.ts';
import type { ProcessIdentity } from '../../../platform/processes/process-identity.ts';
import type { DaemonPlace } from '../place.ts';

/**
 * Notes that a daemon has not answered a hello. Returns whether it counts as hung: clients of the shell live too short to
 * find that out, so each tells the next one. An answered hello starts anew.
 *
 * @param now Seconds since the system started, which no clock changes.
 */
export function noteSilence(
  { silence }: Pick<DaemonPlace, 'silence'>,
  daemon: ProcessIdentity,
  now: number = uptime(),
): boolean {
  const before = resultOrError((): unknown => JSON.parse(readPrivateFile(silence)));
  const noted = before instanceof LspanError ? {} : object(before);
  const isSame = (['pid', 'started', 'boot', 'space'] as const).every((key) => noted[key] === daemon[key]);
  const { since, times } = isSame ? noted : {};
  const [began, count] = [typeof since === 'number' ? since : now, typeof times === 'number' ? times : 0];
  // One that cannot be noted changes nothing: the daemon is done without.
  resultOrError(() =>
    fillPrivateFile(silence, { text: JSON.stringify({ ...daemon, since: began, times: count + 1 }) }),
  );
  return count + 1 >= limits.daemon.silences && (now - began) * 1_000 >= limits.daemon.hung;
}

/** Forgets that a daemon was silent: it has answered. */
export function forgetSilence({ silence }: Pick<DaemonPlace, 'silence'>): void {
  resultOrError(() => removePrivateFile(silence));
}
