import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { severities } from '../../core/problems.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';

const count = z.int().min(0).max(limits.gateway.number);

/** A position, counted from 0, characters in UTF-16 units, as in LSP. */
const position = z.strictObject({ line: count, character: count });

/** A range; its end is exclusive. */
export const range = z.strictObject({ start: position, end: position });

/** The URI of a file in an allowed root. */
export const uri = z.string().max(limits.gateway.uri).describe('file:///absolute/path');

/** The fields of a question about a position. */
export const placeFields = { uri, position: position.describe('0-based; characters in UTF-16 units') };

/** Where a list continues. The size of a page is not part of the question. */
export const cursor = z.string().max(limits.input.id).optional().describe('nextCursor of the page before');

/** The number of items on a page. */
export const pageSize = z.int().min(1).max(limits.gateway.page).default(limits.gateway.page);

/** A place in a file. */
export const location = z.strictObject({
  uri: z.string(),
  range,
  /** Present if the server named a position that the text does not have: this is the nearest one. */
  clamped: z.literal(true).optional(),
});

export type Location = z.output<typeof location>;

/** The kinds of symbols of LSP, by name. */
export const symbolKind = z.enum(symbolKinds);

/** A problem of a file. */
export const diagnostic = z.strictObject({
  range,
  severity: z.enum(severities),
  code: z.string().optional(),
  source: z.string().optional(),
  message: z.string(),
});

export type Diagnostic = z.output<typeof diagnostic>;

/** The number of results that were left out because they are outside the allowed roots. */
export const filtered = count;

/** Makes the schema of the items of a page. */
export function pageOf<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).max(limits.gateway.page);
}

/** Fields of every answer besides its payload. */
export const envelope = {
  complete: z.boolean(),
  doubts: z.array(z.strictObject({ kind: z.string(), detail: z.string(), server: z.string().optional() })),
};

/** Fields of every page besides its items. */
export const pageEnvelope = {
  total: count,
  pageSize: z.int().min(1).max(limits.gateway.page),
  nextCursor: z.string().optional(),
};
