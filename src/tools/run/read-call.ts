import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import type { Json } from '../../core/runtime/json.ts';
import { checkInput, type GivenFields, understand } from '../input/read-input.ts';
import { readValue } from '../input/read-value.ts';
import { paging } from './paging-fields.ts';

/** The arguments of a call: an input, or a cursor, with which the input may be repeated; and how they were read. */
type ReadCall<I> = { readonly adjusted: readonly string[] } & (
  | { readonly cursor: undefined; readonly input: I }
  | { readonly cursor: string; readonly input: I | undefined }
);

/** Reads the arguments of a call. A cursor may come alone, since it identifies the question. */
export function readCall<I extends z.ZodType>(schema: I, given: unknown): ReadCall<z.output<I>> {
  const understood = understand(schema, given);
  const { adjusted } = understood;
  const continuation = continuationIn(schema, understood.fields);
  if (!continuation) return { cursor: undefined, input: inputOf(schema, understood), adjusted };
  const { page, input } = continuation;
  const { cursor } = inputOf(cursorAlone, { fields: page, adjusted });
  return { cursor, input: input && inputOf(schema, { fields: input, adjusted }), adjusted };
}

/** Returns what is wrong with the arguments of a call, as sentences, or `undefined`. */
export function faultsOfCall(schema: z.ZodType, given: Json): string | undefined {
  const understood = understand(schema, given);
  const { adjusted } = understood;
  const continuation = continuationIn(schema, understood.fields);
  if (!continuation) return faultsIn(schema, understood);
  const { page, input } = continuation;
  return (
    faultsIn(cursorAlone, { fields: page, adjusted }) ??
    (input && faultsIn(schema, { fields: input, adjusted }))
  );
}

/** Returns what is wrong with an input that is read strictly, as sentences, or `undefined`. */
export function faultsOf(schema: z.ZodType, given: unknown): string | undefined {
  return faultsIn(schema, { fields: given ?? {}, adjusted: [] });
}

function faultsIn(schema: z.ZodType, given: GivenFields): string | undefined {
  const read = checkInput(schema, given);
  return read.kind === 'faults' ? read.faults.message : undefined;
}

function inputOf<I extends z.ZodType>(schema: I, given: GivenFields): z.output<I> {
  const read = checkInput(schema, given);
  if (read.kind === 'input') return read.input;
  const { message, nextStep } = read.faults;
  throw new LspanError('invalid_input', message, { nextStep });
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
  const read = paging.max_tokens.safeParse(readValue(paging.max_tokens, max_tokens));
  return read.success ? read.data : undefined;
}

const cursorAlone = z.strictObject({ ...paging, cursor: paging.cursor.unwrap() });

function hasCursor(given: unknown): given is { readonly cursor: unknown; readonly max_tokens?: unknown } {
  return typeof given === 'object' && given !== null && 'cursor' in given && given.cursor !== undefined;
}
