import type { Fingerprint, Trust } from '../../core/trust.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { TrustRecord } from './trust-file.ts';

/** Compares the trusted content with the current content: a difference of one byte ends the trust. */
export function checkTrust(record: TrustRecord, server: string, now: Fingerprint): Trust {
  const known = record.servers.find(({ id }) => id === server);
  if (!known)
    return { granted: false, reason: notFor(server), brief: `${server} was not needed when it was trusted` };
  const [difference, ...others] = differences(new Map(known.files), now);
  if (difference === undefined) return { granted: true, reason: 'The user has trusted this folder.' };
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const reason = `${ended} ${difference}${more}. ${lookFirst}`;
  return { granted: false, reason, brief: `${difference}${more} since it was trusted` };
}

/** Returns a phrase for each file that changed, for the user to review. */
export function differences(before: ReadonlyMap<string, string>, now: Fingerprint): readonly string[] {
  if (now.fault !== undefined) return [now.fault.replace(/\.$/, '')];
  const kept = [...before].flatMap(([file, hash]) => {
    const after = now.files.get(file);
    if (after === hash) return [];
    return `${quotePath(file)} ${after === undefined ? 'is gone' : 'has changed'}`;
  });
  const added = [...now.files.keys()].filter((file) => !before.has(file));
  return [...kept, ...added.map((file) => `${quotePath(file)} is new`)];
}

const ended = 'This folder is no longer trusted, because it changed:';
const lookFirst = 'Review that before trusting it again.';

function notFor(server: string): string {
  return `The user has trusted this folder, but ${server} was not needed in it then.`;
}
