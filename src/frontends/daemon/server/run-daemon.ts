import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../config/user-file.ts';
import { asLspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { appendBounded } from '../../../platform/files/bounded-file.ts';
import { buildOf } from '../../../platform/files/identity-files.ts';
import { removePrivateFile } from '../../../platform/files/private-file.ts';
import { createLog } from '../../observe/log.ts';
import { exitCodes, listenForEnd } from '../../process-life.ts';
import { takeInstanceLock } from '../instance-lock.ts';
import { type DaemonPlace, daemonNames, daemonPlace, reasonOf } from '../place.ts';
import { startWords } from '../start-words.ts';

/** Runs the daemon until nobody calls it any more; returns the exit code. A client has started it. */
export async function runDaemon(script: string, environment: Environment): Promise<number> {
  process.title = 'lspan daemon';
  // The client that started it may have gone.
  process.stdout.on('error', () => {});
  const say = (word: string) =>
    new Promise<void>((resolve) => process.stdout.end(`${word}\n`, () => resolve()));
  try {
    const build = buildOf(script);
    const place = daemonPlace(environment, build);
    const lock = await takeInstanceLock(place);
    if (!lock) {
      await say(startWords.taken);
      return 0;
    }
    // Only now, so that one who comes too late costs little.
    const { DaemonServer, drainOthers } = await import('./daemon-server.ts');
    const log = boundedLog(place);
    const { ended } = listenForEnd(log, 'user');
    const daemon = new DaemonServer({ place, build, log });
    await daemon.listen();
    const { socket } = place;
    log('info', 'daemon.listening', { pid: process.pid, socket, executable: build.executable });
    await say(startWords.ready);
    // It serves its clients whatever becomes of others.
    drainOthers(place, log)
      .then(() => removeOldLogs(place.folder))
      .catch((error: unknown) => log('warn', 'daemon.not_drained', { error }));
    const ending = await Promise.race([daemon.ended, ended]);
    log('info', 'daemon.leaving', { ending });
    await daemon.close({ hurried: ending in exitCodes, onUnreachable: () => lock.release() });
    return 0;
  } catch (thrown) {
    await say(`${startWords.failed} ${reasonOf(asLspanError(thrown))}`.replaceAll('\n', ' '));
    return 1;
  }
}

function boundedLog({ log: file }: DaemonPlace): Log {
  const write = (line: string) => appendBounded(file, line, limits.daemon.log);
  return createLog({ level: 'info', format: 'json', write, isFull: () => false });
}

/** Removes the logs of daemons of earlier builds, but for the latest: each build has a log of its own. */
function removeOldLogs(folder: string): void {
  const kept = new Set(daemonNames(folder));
  const logs = readdirSync(folder)
    .flatMap((file) => /^([0-9a-f]+)\.log$/.exec(file)?.[1] ?? [])
    .filter((name) => !kept.has(name))
    .map((name) => path.join(folder, `${name}.log`))
    .map((file) => ({ file, writtenAt: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.writtenAt - a.writtenAt);
  for (const { file } of logs.slice(limits.daemon.logs))
    for (const one of [file, `${file}.1`]) resultOrError(() => removePrivateFile(one));
}
