import { LspanError } from '../../../core/errors.ts';
import { collectInSlices } from '../../../core/runtime/slices.ts';

/** The server of an answer, and what its entries should be. */
interface EntryContext {
  readonly server: string;
  readonly noun: string;
}

/** Reads a list. Drops malformed entries, but throws if all are malformed. */
export function readEntries<T>(
  what: EntryContext,
  entries: readonly unknown[],
  read: (entry: unknown) => T | undefined,
): T[] {
  const found = entries.map(read).filter((entry) => entry !== undefined);
  if (found.length === 0 && entries.length > 0) throw malformed(what);
  return found;
}

/** Like `readEntries`, but for a list that may be very long. */
export async function readManyEntries<T>(
  what: EntryContext,
  entries: readonly unknown[],
  read: (entry: unknown) => T | undefined,
): Promise<T[]> {
  const found = await collectInSlices(entries, read);
  if (found.length === 0 && entries.length > 0) throw malformed(what);
  return found;
}

/** Reads an answer that must be a list; null means an empty one. */
export function answeredList(what: EntryContext, raw: unknown): readonly unknown[] {
  if (raw === null || raw === undefined) return [];
  if (!Array.isArray(raw)) throw malformed(what);
  return raw;
}

/** Error for an answer that cannot be read: passing it off as empty would be a lie. */
export function malformed({ server, noun }: EntryContext): LspanError {
  const message = `The answer of ${server} could not be read as ${noun}.`;
  return new LspanError('server_unverified', message, {
    nextStep: 'Call again; if it fails again, search the text instead.',
  });
}
