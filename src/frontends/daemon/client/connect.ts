import { connect, type Socket } from 'node:net';
import { within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { readPrivateFile } from '../../../platform/files/private-file.ts';
import { Channel, isConnectionEnd } from '../channel.ts';
import { isProof, newNonce, proofOf, protocolRevision } from '../hello.ts';
import type { DaemonPlace } from '../place.ts';

/** What was found at a place: a daemon, nobody, somebody who does not answer, or a stranger. */
export type Found = Channel | 'absent' | 'silent' | 'stranger';

/** Connects to the daemon of a place. It is there only if it answers a hello that knows its secret. */
export async function connectTo(
  { socket, secret }: Pick<DaemonPlace, 'socket' | 'secret'>,
  time: number = limits.daemon.hello,
): Promise<Found> {
  const opened = await openSocket(socket);
  if (!opened) return 'absent';
  const channel = new Channel(opened, { answer: refuseAll });
  const found = await within(sayHello(channel, secret), time);
  if (found === channel) return channel;
  channel.close();
  return found ?? 'silent';
}

async function sayHello(channel: Channel, secretFile: string): Promise<Found> {
  const client = newNonce();
  const greeting = channel.request('hello', { nonce: client }).catch(() => undefined);
  const { nonce, proof, revision } = object(await greeting);
  const secret = resultOrError(() => readPrivateFile(secretFile));
  const daemon = text(nonce);
  // It may have ended between the two.
  if (daemon === undefined || secret instanceof LspanError) return 'absent';
  const nonces = { client, daemon };
  if (!isProof(proof, secret, 'daemon', nonces) || revision !== protocolRevision) return 'stranger';
  const proven = channel.request('prove', { proof: proofOf(secret, 'client', nonces) });
  return proven.then(
    () => channel,
    (thrown: unknown) => (isConnectionEnd(thrown) ? 'absent' : 'stranger'),
  );
}

function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const failed = () => resolve(undefined);
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

/** A daemon asks its clients nothing. */
async function refuseAll(method: string): Promise<never> {
  throw new LspanError('not_supported', `There is no method ${method}.`);
}
