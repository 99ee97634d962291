import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** What may stand in a log line. */
export type LogValue =
  | string
  | number
  | boolean
  | null
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/** What a log shows of the texts and the errors that it is given. */
export interface LogStyle {
  /** What stands for a text under a name; those of a list have the name of the list. */
  text(name: string, text: string): string;
  /** What stands for the name of a field. */
  field(name: string): string;
  /** What is shown of an error, or of any other object, by name. */
  fieldsOf(value: object): object;
}

/** A value as the log shows it: bounded, without cycles, and without what its name says is a secret. */
export function logValue(name: string, value: unknown, manner: LogStyle = openly): LogValue {
  return show(name, value, { manner, holders: [], budget: { left: limits.log.items } });
}

interface Showing {
  readonly manner: LogStyle;
  /** The objects around the value, the outermost first. */
  readonly holders: readonly object[];
  /** How many more values may be shown. */
  readonly budget: { left: number };
}

function show(name: string, value: unknown, showing: Showing): LogValue {
  if (isSecret(name, value)) return '[redacted]';
  if (typeof value === 'string') return cut(showing.manner.text(name, value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'object') return showObject(name, value, showing);
  return cut(showing.manner.text(name, String(value)));
}

const secretNames = /token|secret|password|authorization|api_?key|cookie|session[-_]?id|holder/i;

/** Counts of tokens are no secrets, though their names look like it. */
function isSecret(name: string, value: unknown): boolean {
  return secretNames.test(name) && typeof value !== 'number' && value !== undefined && value !== null;
}

function showObject(name: string, value: object, { manner, holders, budget }: Showing): LogValue {
  if (holders.includes(value)) return '[circular]';
  if (holders.length >= limits.log.depth) return '[deep]';
  if (value instanceof Date) return String(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const showing = { manner, holders: [...holders, value], budget };
  if (value instanceof Set) return showItems(name, [...value], showing);
  if (Array.isArray(value)) return showItems(name, value, showing);
  const fields = Object.entries(manner.fieldsOf(value)).filter(([, held]) => held !== undefined);
  return Object.fromEntries(
    afforded(fields, budget).map(([field, held]) => [cut(manner.field(field)), show(field, held, showing)]),
  );
}

function showItems(name: string, items: readonly unknown[], showing: Showing): LogValue {
  return afforded(items, showing.budget).map((item) => show(name, item, showing));
}

/** As many as the budget allows, which they use up. */
function afforded<T>(items: readonly T[], budget: { left: number }): T[] {
  const taken = items.slice(0, budget.left);
  budget.left -= taken.length;
  return taken;
}

/** Everything, as it is. */
const openly: LogStyle = {
  text: (_name, text) => text,
  field: (name) => name,
  // Errors keep what they tell in properties that are not enumerable.
  fieldsOf: (value) => {
    if (value instanceof LspanError) return { code: value.code, message: value.message, cause: value.cause };
    if (!(value instanceof Error)) return plainFields(value);
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  },
};

/** The fields of an object that is no error, of a map its entries. */
export function plainFields(value: object): object {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, held]) => [String(key), held]));
}

/** What is cut off ends before a word, or half a token would not look like one. */
function cut(text: string): string {
  if (text.length <= limits.log.text) return withoutTokens(text);
  return `${withoutTokens(text.slice(0, limits.log.text).replace(/[\w-]{1,43}$/, ''))}…`;
}

/**
 * A text in which whatever looks like a bearer token is hidden. A token of ours is 43 characters of base64url; one
 * without both capital and small letters comes once in billions, so words and hashes of that length can stay.
 */
function withoutTokens(text: string): string {
  return text
    .replace(presented, '$1 [redacted]')
    .replace(run, (found) => (isMixed(found) ? '[redacted]' : found));
}

const presented = /\b(bearer)\s+[^\s"',;]+/gi;

const run = /(?<![\w-])[\w-]{43}(?![\w-])/g;

function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text);
}
