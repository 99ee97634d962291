import { LspanError } from '../../core/errors.ts';
import type { Fingerprint } from '../../core/trust.ts';
import { rootAround, stateFolder } from '../state-folder.ts';
import type { Environment } from '../user-file.ts';
import { trustFileIn, writeTrust } from './trust-file.ts';

/** The permissions that the user would grant by trusting a folder in its current state. */
export interface TrustOffer {
  /** A real path. */
  readonly root: string;
  /** The servers that would run content of the folder. */
  readonly servers: readonly OfferedServer[];
}

/** The permission of one server. */
export interface OfferedServer {
  readonly id: string;
  /** A sentence that begins with the id: what the server would run. */
  readonly runs: string;
  /** The content to which the trust would be bound. */
  readonly bound: Fingerprint;
}

/** Records that the user accepts an offer. It binds the content that was shown, not what may have changed since. */
export function writeTrustOf(offer: TrustOffer, environment: Environment, now = new Date()): void {
  const { root, servers } = offer;
  const file = checkOffer(offer, environment);
  const bound = servers.map(({ id, bound: { files } }) => ({ id, files: [...files] }));
  writeTrust(file, { root, when: now.toISOString(), servers: bound });
}

/** Throws for an offer that cannot be recorded; returns the file to which it would be written. */
export function checkOffer({ root, servers }: TrustOffer, environment: Environment): string {
  if (servers.length === 0) throw nothingToTrust(root);
  for (const { bound } of servers) if (bound.fault !== undefined) throw notBound(bound.fault);
  return trustFileFor(root, environment);
}

/** Refuses a trust file inside the trusted folder: the folder's content could then trust itself. */
function trustFileFor(root: string, environment: Environment): string {
  const folder = stateFolder(environment);
  if (rootAround(folder, [root]) === undefined) return trustFileIn(folder);
  throw new LspanError('refused', `The trust would be written to ${folder}, inside the folder to trust.`, {
    nextStep: 'Set XDG_STATE_HOME to a folder elsewhere, or trust a smaller folder.',
  });
}

function nothingToTrust(root: string): LspanError {
  return new LspanError('invalid_input', `No server would run code of ${root}.`, {
    nextStep: 'There is nothing to trust here.',
  });
}

function notBound(fault: string): LspanError {
  return new LspanError(
    'refused',
    `The folder cannot be trusted, because lspan could not detect changes. ${fault}`,
    {
      nextStep: 'Fix that, or trust a smaller folder.',
    },
  );
}
