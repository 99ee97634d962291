import { z } from 'zod';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol, Place } from '../../core/question.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';

const name = z.string().min(1).max(limits.input.query);

/** A path as an agent gives it. */
export const filePath = z.string().min(1).max(limits.path.length);

/** A part of a name that is searched for. Agents that think of patterns write `add*`, which means the same as `add`. */
export const partOfName = z
  .string()
  .min(1)
  .max(limits.input.query)
  .transform((given) => given.replace(/^[\s*]+|[\s*]+$/g, ''))
  .pipe(z.string().refine((part) => part !== '', 'must be a part of a name (it is no pattern)'));

const kindBySpelling: ReadonlyMap<string, string> = new Map([
  ...symbolKinds.map((kind) => [spelling(kind), kind] as const),
  ['fn', 'function'],
  ['func', 'function'],
  ['def', 'function'],
  ['const', 'constant'],
  ['var', 'variable'],
]);

/** A kind of symbol: plain text in the schema, since the list of kinds would cost every agent tokens. */
export const symbolKind = z
  .string()
  .transform((given) => kindBySpelling.get(spelling(given)) ?? given)
  .pipe(z.enum(symbolKinds));

/** Makes `EnumMember`, `enum member` and `enum_member` equal. */
function spelling(kind: string): string {
  return kind.toLowerCase().replace(/[\s_-]/g, '');
}

/** The fields of a target: a name, a position, or both. */
export const target = {
  file_path: filePath.optional(),
  symbol_name: name.optional().describe('`run` or `Server.run`'),
  symbol_kind: symbolKind.optional(),
  line: z.int().optional().describe('1-based, as is character'),
  character: z.int().optional(),
  /** The id of a candidate that an error listed. */
  id: z.string().min(1).max(limits.input.symbolId).optional(),
};

export type Target = z.output<z.ZodObject<typeof target>>;

/** The place that a target means, and how the target was read if it was not exact. */
export interface Located {
  readonly place: Place;
  /** The identifier at the place, according to the text. */
  readonly name: string | undefined;
  readonly adjusted?: string;
  /** The symbol at the place if it has no name, such as a callback. */
  readonly nameless?: OutlineSymbol;
  /** Other declarations of the same symbol, for which a server may know other uses. */
  readonly also?: readonly Place[];
  readonly doubts: readonly Doubt[];
}

/** How strictly a target is read. */
export interface Strictness {
  /** For tools that change files: nothing is guessed, and an inexact target is an error that lists what is there. */
  readonly exact?: boolean;
  /** For tools that have an answer for a symbol without a name too. */
  readonly takesNameless?: boolean;
}
