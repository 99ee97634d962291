import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { fillPrivateFile } from '../../platform/files/private-folder.ts';

/** The version of the messages between daemon and clients, and of the hello, which never changes. */
export const protocolRevision = 2;

/** Makes the secret of a daemon that is starting, and returns it. */
export function makeSecret(file: string): string {
  const secret = randomBytes(32).toString('hex');
  fillPrivateFile(file, { text: secret });
  return secret;
}

/** Returns a random value that is used once. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}

/** The values that both sides have chosen for one connection. */
export interface Nonces {
  readonly client: string;
  readonly daemon: string;
}

/** Returns what only a process that knows the secret can say on this connection. */
export function proofOf(secret: string, side: 'client' | 'daemon', { client, daemon }: Nonces): string {
  return createHmac('sha256', secret).update([side, client, daemon].join('\0')).digest('hex');
}

/** True if a proof is right. */
export function isProof(given: unknown, ...of: Parameters<typeof proofOf>): boolean {
  if (typeof given !== 'string') return false;
  const [expected, told] = [Buffer.from(proofOf(...of)), Buffer.from(given)];
  return expected.length === told.length && timingSafeEqual(expected, told);
}
