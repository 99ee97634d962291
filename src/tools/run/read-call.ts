import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { paging } from './paging-fields.ts';

/** What a call asks for: an answer to its input, or that a list goes on, of which the input may be told again. */
type ReadCall<I> =
  | { readonly cursor: undefined; readonly input: I }
  | { readonly cursor: string; readonly input: I | undefined };

/** Reads the arguments of a call. A cursor may stand alone, since it says what was asked. */
export function readCall<I extends z.ZodType>(schema: I, given: unknown): ReadCall<z.output<I>> {
  if (!(schema instanceof z.ZodObject) || !('cursor' in schema.shape) || !isGoingOn(given)) {
    return { cursor: undefined, input: parseInput(schema, given) };
  }
  const { cursor, max_tokens, ...rest } = given;
  const told = parseInput(alone, { cursor, ...(max_tokens === undefined ? {} : { max_tokens }) });
  const input = Object.keys(rest).length === 0 ? undefined : parseInput(schema, rest);
  return { cursor: told.cursor, input };
}

/** What is wrong with the arguments of a call, as sentences; nothing where they are right. */
export function faultsOfCall(
  schema: z.ZodType,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const goesOn = schema instanceof z.ZodObject && 'cursor' in schema.shape && isGoingOn(given);
  if (!goesOn) return faultsOf(schema, given);
  const { cursor, max_tokens, ...rest } = given;
  const told = { cursor, ...(max_tokens === undefined ? {} : { max_tokens }) };
  return faultsOf(alone, told) ?? (Object.keys(rest).length === 0 ? undefined : faultsOf(schema, rest));
}

/** What makes an input the same question as another: how much is shown, and from where, is no part of it. */
export function questionOf(input: unknown): string {
  const entries = Object.entries(Object(input)).filter(([name]) => !(name in paging));
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** As many tokens as a call allows itself, if it says so in a way that can be understood. */
export function maxTokensOf(given: unknown): number | undefined {
  const { max_tokens } = Object(given);
  const read = paging.max_tokens.safeParse(max_tokens);
  return read.success ? read.data : undefined;
}

const alone = z.strictObject({ ...paging, cursor: paging.cursor.unwrap() });

function isGoingOn(given: unknown): given is { readonly cursor: unknown; readonly max_tokens?: unknown } {
  return typeof given === 'object' && given !== null && 'cursor' in given && given.cursor !== undefined;
}

/** Reads a tool's input strictly: unknown fields and wrong types are errors that name the field and the fix. */
function parseInput<I extends z.ZodType>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new LspanError('invalid_input', faultsIn(parsed.error), {
    nextStep: `The fields are: ${fieldsOf(schema).join(', ')}.`,
  });
}

/** What is wrong with an input, as sentences; nothing where it is right. */
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
