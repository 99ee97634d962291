import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { paging } from './paging-fields.ts';

/** The arguments of a call: an input, or a cursor, with which the input may be repeated. */
type ReadCall<I> =
  | { readonly cursor: undefined; readonly input: I }
  | { readonly cursor: string; readonly input: I | undefined };

/** Reads the arguments of a call. A cursor may come alone, since it identifies the question. */
export function readCall<I extends z.ZodType>(schema: I, given: unknown): ReadCall<z.output<I>> {
  const continuation = continuationIn(schema, given);
  if (!continuation) return { cursor: undefined, input: parseInput(schema, given) };
  const { page, input } = continuation;
  const { cursor } = parseInput(cursorAlone, page);
  return { cursor, input: input && parseInput(schema, input) };
}

/** Returns what is wrong with the arguments of a call, as sentences, or `undefined`. */
export function faultsOfCall(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const continuation = continuationIn(schema, given);
  if (!continuation) return faultsOf(schema, given);
  const { page, input } = continuation;
  return faultsOf(cursorAlone, page) ?? (input && faultsOf(schema, input));
}

/** Splits a call that continues a list into its paging fields and the input, if that is repeated. */
function continuationIn(schema: z.ZodType, given: unknown) {
  if (!(schema instanceof z.ZodObject) || !('cursor' in schema.shape) || !hasCursor(given)) return undefined;
  const { cursor, max_tokens, ...rest } = given;
  const page = { cursor, ...(max_tokens === undefined ? {} : { max_tokens }) };
  return { page, input: Object.keys(rest).length === 0 ? undefined : rest };
}

/** Returns a key that is equal for equal questions; how much is shown, and from where, is not part of it. */
export function questionOf(input: unknown): string {
  const entries = Object.entries(Object(input)).filter(([name]) => !(name in paging));
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the token limit that a call sets for itself, if it is valid. */
export function maxTokensOf(given: unknown): number | undefined {
  const { max_tokens } = Object(given);
  const read = paging.max_tokens.safeParse(max_tokens);
  return read.success ? read.data : undefined;
}

const cursorAlone = z.strictObject({ ...paging, cursor: paging.cursor.unwrap() });

function hasCursor(given: unknown): given is { readonly cursor: unknown; readonly max_tokens?: unknown } {
  return typeof given === 'object' && given !== null && 'cursor' in given && given.cursor !== undefined;
}

/** Parses a tool's input strictly: an unknown field or a wrong type is an error that names the field and the fix. */
function parseInput<I extends z.ZodType>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new LspanError('invalid_input', faultsIn(parsed.error), {
    nextStep: `The fields are: ${fieldsOf(schema).join(', ')}.`,
  });
}

/** Returns what is wrong with an input, as sentences, or `undefined`. */
export function faultsOf(schema: z.ZodType, given: unknown): string | undefined {
  const parsed = schema.safeParse(given ?? {});
  return parsed.success ? undefined : faultsIn(parsed.error);
}

function faultsIn({ issues }: z.core.$ZodError): string {
  return issues.map((issue) => explain(issue)).join(' ');
}

function explain(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => quote([...issue.path, key].join('.')));
    return `Unknown field: ${names.join(', ')}.`;
  }
  if (issue.code === 'invalid_value') return `${quote(field)}: one of ${issue.values.join(', ')}.`;
  const what = issue.message.replace(/^Invalid \w+: /, '');
  return field ? `${quote(field)}: ${what}.` : `${what}.`;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, limits.quoted.argument));
}

function fieldsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
