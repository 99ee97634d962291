import { LspanError } from '../../../core/errors.ts';
import { collectInSlices } from '../../../core/runtime/slices.ts';

/** What an answer should be, and whose it is. */
export interface EntryContext {
  readonly server: string;
  readonly noun: string;
}

/** Reads a list at the border. A malformed entry is left out; a list of nothing else is no answer. */
export function readEntries<T>(
  what: EntryContext,
  entries: readonly unknown[],
  read: (entry: unknown) => T | undefined,
): T[] {
  const found = entries.map(read).filter((entry) => entry !== undefined);
  if (found.length === 0 && entries.length > 0) throw malformed(what);
  return found;
}

/** The same for a list that may be very long. */
export async function readManyEntries<T>(
  what: EntryContext,
  entries: readonly unknown[],
  read: (entry: unknown) => T | undefined,
): Promise<T[]> {
  const found = await collectInSlices(entries, read);
  if (found.length === 0 && entries.length > 0) throw malformed(what);
  return found;
}

/** Reads an answer that has to be a list; that there is none means that there is nothing. */
export function answeredList(what: EntryContext, raw: unknown): readonly unknown[] {
  if (raw === null || raw === undefined) return [];
  if (!Array.isArray(raw)) throw malformed(what);
  return raw;
}

/** What a call is told whose answer cannot be read: taken for nothing, it would be a lie. */
export function malformed({ server, noun }: EntryContext): LspanError {
  const message = `What ${server} answered could not be read as ${noun}.`;
  return new LspanError('server_unverified', message, {
    nextStep: 'Call again; if the answer stays like this, search the text instead.',
  });
}
