import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';

/** A value in a log line. */
export type LogValue =
  | string
  | number
  | boolean
  | null
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/** Selects what a log shows of texts, field names and errors. */
export interface LogStyle {
  /** Returns what to show for a text of a field; texts in a list have the name of the list. */
  text(name: string, text: string): string;
  /** Returns what to show for the name of a field. */
  field(name: string): string;
  /** Returns the fields to show of an error or any other object. */
  fieldsOf(value: object): object;
}

/** Converts a value for the log: bounded, without cycles, and redacted if its name says that it is a secret. */
export function logValue(name: string, value: unknown, style: LogStyle = unredacted): LogValue {
  return show(name, value, { style, ancestors: [], budget: { left: limits.log.items } });
}

interface ShowContext {
  readonly style: LogStyle;
  /** Objects that contain the value, the outermost first. */
  readonly ancestors: readonly object[];
  /** Number of values that may still be shown. */
  readonly budget: { left: number };
}

function show(name: string, value: unknown, context: ShowContext): LogValue {
  if (isSecret(name, value)) return '[redacted]';
  if (typeof value === 'string') return cut(context.style.text(name, value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'object') return showObject(name, value, context);
  return cut(context.style.text(name, String(value)));
}

const secretNames = /token|secret|password|authorization|api_?key|cookie|session[-_]?id|holder/i;

/** Numbers are not secrets: counts of tokens have such names. */
function isSecret(name: string, value: unknown): boolean {
  return secretNames.test(name) && typeof value !== 'number' && value !== undefined && value !== null;
}

function showObject(name: string, value: object, { style, ancestors, budget }: ShowContext): LogValue {
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= limits.log.depth) return '[deep]';
  if (value instanceof Date) return String(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const context = { style, ancestors: [...ancestors, value], budget };
  if (value instanceof Set) return showItems(name, [...value], context);
  if (Array.isArray(value)) return showItems(name, value, context);
  const fields = Object.entries(style.fieldsOf(value)).filter(([, held]) => held !== undefined);
  return Object.fromEntries(
    withinBudget(fields, budget).map(([field, held]) => [
      cut(style.field(field)),
      show(field, held, context),
    ]),
  );
}

function showItems(name: string, items: readonly unknown[], context: ShowContext): LogValue {
  return withinBudget(items, context.budget).map((item) => show(name, item, context));
}

/** Returns as many items as the budget allows, and charges it. */
function withinBudget<T>(items: readonly T[], budget: { left: number }): T[] {
  const taken = items.slice(0, budget.left);
  budget.left -= taken.length;
  return taken;
}

/** Default style: shows everything. */
const unredacted: LogStyle = {
  text: (_name, text) => text,
  field: (name) => name,
  // The properties of errors are not enumerable.
  fieldsOf: (value) => {
    if (value instanceof LspanError) return { code: value.code, message: value.message, cause: value.cause };
    if (!(value instanceof Error)) return plainFields(value);
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  },
};

/** Returns the fields of an object that is not an error, or the entries of a map. */
export function plainFields(value: object): object {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, held]) => [String(key), held]));
}

/** Cuts before a word: half a token would not be recognised as one. */
function cut(text: string): string {
  if (text.length <= limits.log.text) return withoutTokens(text);
  return `${withoutTokens(text.slice(0, limits.log.text).replace(/[\w-]{1,43}$/, ''))}…`;
}

/**
 * Redacts whatever looks like a bearer token. A token of ours is 43 characters of base64url; one without both upper and
 * lower case occurs once in billions, so words and hashes of that length may stay.
 */
function withoutTokens(text: string): string {
  return text
    .replace(bearer, '$1 [redacted]')
    .replace(tokenLike, (found) => (isMixed(found) ? '[redacted]' : found));
}

const bearer = /\b(bearer)\s+[^\s"',;]+/gi;

const tokenLike = /(?<![\w-])[\w-]{43}(?![\w-])/g;

function isMixed(text: string): boolean {
  return /[A-Z]/.test(text) && /[a-z]/.test(text);
}
