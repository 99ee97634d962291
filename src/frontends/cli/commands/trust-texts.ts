import { checkTrust, differences } from '../../../config/trust/check-trust.ts';
import type { TrustRecord } from '../../../config/trust/trust-file.ts';
import type { OfferedServer, TrustOffer } from '../../../config/trust/write-trust.ts';
import { limits } from '../../../core/limits.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';

/** Renders an offer for the user's decision: what each server would run, and which files determine it. */
export function describeOffer(offer: TrustOffer, record: TrustRecord | undefined): string {
  const servers = offer.servers.map((server) => describeServer(server, record));
  const means =
    'Trusting it lets these servers run, with your rights, what those files say, until one of them changes.\nCode that the files load in turn is not watched: look at that too.';
  return [offer.root, ...servers, means, ''].join('\n');
}

/** Renders a trust record, and whether it is still in effect. */
export function describeRecord(record: TrustRecord, offer: TrustOffer | undefined): string {
  const states = record.servers.map(({ id, files }) => {
    const server = offer?.servers.find((one) => one.id === id);
    const trust = server && checkTrust(record, id, server.bound);
    const state = trust?.granted ? 'holds' : (trust?.reason ?? (offer ? 'not needed at present' : gone));
    return `  ${id}, ${files.length === 1 ? '1 file' : `${files.length} files`}: ${state}`;
  });
  return [`${record.root}, trusted ${record.when.slice(0, 10)}`, ...states, ''].join('\n');
}

/** True if the offer was accepted before and is unchanged. */
export function isKept({ servers }: TrustOffer, record: TrustRecord | undefined): boolean {
  return record !== undefined && servers.every(({ id, bound }) => checkTrust(record, id, bound).granted);
}

const gone = 'the folder is gone';

function describeServer({ id, runs, bound }: OfferedServer, record: TrustRecord | undefined): string {
  const files = [...bound.files.keys()].map(quotePath);
  const before = record?.servers.find((one) => one.id === id);
  const changes = before === undefined ? [] : differences(new Map(before.files), bound);
  return [
    `  ${runs}`,
    `    ${files.length === 0 ? 'bound to no file' : `bound to ${shorten(files)}`}`,
    ...(changes.length === 0 ? [] : [`    since it was trusted: ${shorten(changes)}`]),
  ].join('\n');
}

function shorten(items: readonly string[]): string {
  const shown = items.slice(0, limits.trust.shown);
  const more = items.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')}, and ${more} more`;
}
