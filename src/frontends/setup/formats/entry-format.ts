import { isDeepStrictEqual } from 'node:util';
import { LspanError } from '../../../core/errors.ts';
import { isRecord, type Json, object } from '../../../core/runtime/json.ts';
import { applyChanges, type TextChange } from './text-change.ts';

/** A value in the entry of a client. */
export type EntryValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>;

/** The entry that makes a client start lspan. */
export interface ServerEntry {
  /** Keys that say what is started: lspan keeps them right. */
  readonly own: Readonly<Record<string, EntryValue>>;
  /** Keys of a new entry only: afterwards they are the user's. */
  readonly initial: Readonly<Record<string, EntryValue>>;
}

/** How files of one kind are read and changed. Every function throws `refused` for a text that it cannot read. */
export interface EntryFormat {
  /** Returns everything that the text says. */
  readonly read: (text: string) => Json;
  /** Returns the changes that put an entry at a path of keys, or correct the one that is there. */
  readonly add: (text: string, path: readonly string[], entry: ServerEntry) => readonly TextChange[];
  /** Returns the changes that take the entry out, and those around it if empty, up to so many. */
  readonly remove: (text: string, path: readonly string[], around: number) => readonly TextChange[];
}

/** Returns what a path of keys leads to. */
export function valueOfKeys(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

/** Returns how many of the objects around an entry are missing. */
export function missingAround(value: unknown, path: readonly string[]): number {
  const there = path
    .slice(0, -1)
    .filter((_, index) => valueOfKeys(value, path.slice(0, index + 1)) !== undefined);
  return path.length - 1 - there.length;
}

/** Adds an entry, and checks that the new text says it, and says everything else as before. */
export function addEntry(
  format: EntryFormat,
  text: string,
  path: readonly string[],
  entry: ServerEntry,
): readonly TextChange[] {
  const before = format.read(text);
  const there = valueOfKeys(before, path);
  const changes = format.add(text, path, entry);
  const after = format.read(applyChanges(text, changes));
  const wanted =
    there === undefined ? { ...entry.own, ...entry.initial } : { ...object(there), ...entry.own };
  const isRight = isDeepStrictEqual(withoutPrototypes(valueOfKeys(after, path)), withoutPrototypes(wanted));
  if (!isRight || !isDeepStrictEqual(without(after, path), without(before, path))) throw cannotChange();
  return changes;
}

/** Removes an entry, and checks that the new text says everything else as before. */
export function removeEntry(
  format: EntryFormat,
  text: string,
  path: readonly string[],
  around: number,
): readonly TextChange[] {
  const before = format.read(text);
  if (valueOfKeys(before, path) === undefined) return [];
  const changes = format.remove(text, path, around);
  const after = format.read(applyChanges(text, changes));
  const isGone = valueOfKeys(after, path) === undefined;
  if (!isGone || !isDeepStrictEqual(without(after, path), without(before, path))) throw cannotChange();
  return changes;
}

/** Returns a copy without prototypes, which parsers choose differently. */
export function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (!isRecord(value) || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutPrototypes(inner)]));
}

/** Returns what a file says besides an entry; objects that are empty without it are left out. */
function without(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const others = Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  const inner = rest.length === 0 ? undefined : without(value[key], rest);
  const isEmpty = inner === undefined || (isRecord(inner) && Object.keys(inner).length === 0);
  return withoutPrototypes(isEmpty ? others : { ...others, [key]: inner });
}

/** Returns the error for a change that would not be the intended one. */
export function cannotChange(): LspanError {
  return new LspanError('refused', 'lspan found no way to change only its own entry.', {
    nextStep: 'Change the file by hand.',
  });
}
