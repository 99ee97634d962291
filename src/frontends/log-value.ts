import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

/** What may stand in a log line. */
export type LogValue =
  | string
  | number
  | boolean
  | null
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

/** A value as the log shows it: bounded, without cycles, and without what its name says is a secret. */
export function logValue(name: string, value: unknown): LogValue {
  return show(name, value, { holders: [], budget: { left: limits.log.items } });
}

interface Showing {
  /** The objects around the value, the outermost first. */
  readonly holders: readonly object[];
  /** How many more values may be shown. */
  readonly budget: { left: number };
}

function show(name: string, value: unknown, showing: Showing): LogValue {
  if (isSecret(name, value)) return '[redacted]';
  if (typeof value === 'string') return cut(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'object') return showObject(value, showing);
  return cut(String(value));
}

const secretNames = /token|secret|password|authorization|api_?key|cookie/i;

/** Counts of tokens are no secrets, though their names look like it. */
function isSecret(name: string, value: unknown): boolean {
  return secretNames.test(name) && typeof value !== 'number' && value !== undefined && value !== null;
}

function showObject(value: object, { holders, budget }: Showing): LogValue {
  if (holders.includes(value)) return '[circular]';
  if (holders.length >= limits.log.depth) return '[deep]';
  if (value instanceof Date) return String(value);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const showing = { holders: [...holders, value], budget };
  if (value instanceof Set) return showItems([...value], showing);
  if (Array.isArray(value)) return showItems(value, showing);
  const fields = Object.entries(fieldsOf(value)).filter(([, held]) => held !== undefined);
  return Object.fromEntries(
    afforded(fields, budget).map(([name, held]) => [cut(name), show(name, held, showing)]),
  );
}

function showItems(items: readonly unknown[], showing: Showing): LogValue {
  return afforded(items, showing.budget).map((item) => show('', item, showing));
}

/** As many as the budget allows, which they use up. */
function afforded<T>(items: readonly T[], budget: { left: number }): T[] {
  const taken = items.slice(0, budget.left);
  budget.left -= taken.length;
  return taken;
}

/** Errors keep what they tell in properties that are not enumerable. */
function fieldsOf(value: object): object {
  if (value instanceof LspanError) return { code: value.code, message: value.message, cause: value.cause };
  if (value instanceof Error) {
    return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
  }
  return value instanceof Map
    ? Object.fromEntries([...value].map(([key, held]) => [String(key), held]))
    : value;
}

function cut(text: string): string {
  return text.length <= limits.log.text ? text : `${text.slice(0, limits.log.text)}…`;
}
