import { connect } from 'node:net';
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
  const channel = await openChannel(socket);
  if (!channel) return 'absent';
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
  channel.trust();
  const proven = channel.request('prove', { proof: proofOf(secret, 'client', nonces) });
  return proven.then(
    () => channel,
    (thrown: unknown) => (isConnectionEnd(thrown) ? 'absent' : 'stranger'),
  );
}

/** All bytes are read into one buffer: a stream would make one for each read, and a queue around it. */
function openChannel(path: string): Promise<Channel | undefined> {
  return new Promise((resolve) => {
    let channel: Channel | undefined;
    const buffer = Buffer.allocUnsafe(limits.daemon.chunk);
    const callback = (length: number) => {
      channel?.receive(buffer.subarray(0, length));
      return true;
    };
    const socket = connect({ path, onread: { buffer, callback } });
    const failed = () => resolve(undefined);
    socket.once('error', failed);
    socket.once('connect', () => {
      socket.off('error', failed);
      channel = new Channel(socket, { answer: refuseAll });
      resolve(channel);
    });
  });
}

/** Refuses requests of the other side: a daemon asks its clients nothing. */
export async function refuseAll(method: string): Promise<never> {
  throw new LspanError('not_supported', `There is no method ${method}.`);
}
