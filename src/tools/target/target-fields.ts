import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';

const name = z.string().min(1).max(1_000);

/** A path as an agent gives it. */
export const filePath = z.string().min(1).max(4_096);

/** How many tokens the answer may take. */
export const maxTokens = z.int().min(limits.tokens.least).max(limits.tokens.most).optional();

/** Fields of every tool that lists things: how much of the list, and where it goes on. */
export const paging = { cursor: z.string().max(100).optional(), max_tokens: maxTokens };

const kindBySpelling: ReadonlyMap<string, string> = new Map(
  symbolKinds.map((kind) => [spelling(kind), kind]),
);

/** A kind of symbol: plain text in the schema, since the list of kinds would cost every agent tokens. */
export const symbolKind = z
  .string()
  .transform((given) => kindBySpelling.get(spelling(given)) ?? given)
  .pipe(z.enum(symbolKinds));

/** `EnumMember`, `enum member` and `enum_member` are one kind. */
function spelling(kind: string): string {
  return kind.toLowerCase().replace(/[\s_-]/g, '');
}

/** The fields by which an agent says what it means: a name, a position, or both. */
export const target = {
  file_path: filePath.optional(),
  symbol_name: name.optional().describe('`run` or `Server.run`'),
  symbol_kind: symbolKind.optional(),
  line: z.int().optional().describe('1-based, as is character'),
  character: z.int().optional(),
  /** Of a candidate that an error listed. */
  id: z.string().min(1).max(5_200).optional(),
};

export type Target = z.output<z.ZodObject<typeof target>>;
