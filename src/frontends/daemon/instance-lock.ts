import { createServer } from 'node:net';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import {
  readPrivateFile,
  removePrivateFile,
  takeAway,
  writePrivateFile,
} from '../../platform/files/private-file.ts';
import { hasEnded, type ProcessIdentity, thisProcess } from '../../platform/processes/process-identity.ts';
import type { DaemonPlace } from './place.ts';

/** The right to be the daemon of a place, which one process has at a time. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the lock of a place; `undefined` if somebody has it. On Linux it is an abstract socket, which nobody connects to:
 * the kernel frees it when the process ends, in whatever way. Elsewhere it is a file that names its process.
 */
export function takeInstanceLock(
  place: Pick<DaemonPlace, 'folder' | 'name'>,
  platform: NodeJS.Platform = process.platform,
): Promise<InstanceLock | undefined> {
  return platform === 'linux' ? takeAbstract(place.name) : takeFile(place);
}

function takeAbstract(name: string): Promise<InstanceLock | undefined> {
  const server = createServer((socket) => socket.destroy());
  const release = () => void server.close();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(`\0lspan-${process.getuid?.() ?? 0}-${name}`, () => resolve({ release }));
  });
}

async function takeFile({
  folder,
  name,
}: Pick<DaemonPlace, 'folder' | 'name'>): Promise<InstanceLock | undefined> {
  const file = path.join(folder, `${name}.lock`);
  const me = thisProcess();
  const holder = holderOf(file);
  if (holder && !hasEnded(holder, me)) return undefined;
  // Of several that find a dead holder, one goes on.
  if (holder && !takeAway(file)) return undefined;
  const written = resultOrError(() => writePrivateFile(file, JSON.stringify(me)));
  if (written instanceof LspanError) return undefined;
  return { release: () => removePrivateFile(file) };
}

/** Returns the process that a file names. */
export function holderOf(file: string): ProcessIdentity | undefined {
  const read = resultOrError((): unknown => JSON.parse(readPrivateFile(file)));
  return isIdentity(read) ? read : undefined;
}

/** Signals to number 0 or less go to more than one process. */
function isIdentity(value: unknown): value is ProcessIdentity {
  if (!isRecord(value)) return false;
  const { pid, started, boot, space } = value;
  const isPid = typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0;
  return isPid && typeof started === 'number' && typeof boot === 'string' && typeof space === 'string';
}
