import { z } from 'zod';
import { isRecord, type Json } from '../../core/runtime/json.ts';
import { explainFaults, type InputFaults } from './explain-faults.ts';
import { spelling } from './field-aliases.ts';
import { withPastedPlace } from './pasted-place.ts';
import { type FieldReading, readFields } from './read-fields.ts';
import { readValue } from './read-value.ts';

/** The input of a tool, or what is wrong with it. */
export type InputReading<I> =
  | { readonly kind: 'input'; readonly input: I; readonly adjusted: readonly string[] }
  | { readonly kind: 'faults'; readonly faults: InputFaults };

/** Arguments of a call as they were understood, before the schema has checked them. */
export interface GivenFields {
  readonly fields: unknown;
  readonly adjusted: readonly string[];
}

/**
 * Understands the arguments of a call as far as they can only mean one thing. A call that writes is taken by its word:
 * values may be spelled differently (`"false"`), names may not.
 */
export function understand(schema: z.ZodType, given: unknown): GivenFields {
  const fields = readValue(schema, given ?? {});
  if (!(schema instanceof z.ZodObject) || !isRecord(fields)) return { fields, adjusted: [] };
  const isLiteral = writes(schema, fields);
  const read = withNameBeside(fields, readFields(schema, fields, isLiteral));
  const { fields: own, adjusted }: FieldReading = withPastedPlace(schema, read, isLiteral);
  return { fields: own, adjusted };
}

/** Takes a `new_name` for a new path to be the name of a file beside the old one. */
function withNameBeside(given: Json, reading: FieldReading): FieldReading {
  const { old_path: old, new_path: path } = reading.fields;
  const from = Object.keys(given).find((name) => spelling(name) === 'newname');
  const [folder] = typeof old === 'string' ? (/^.*[/\\](?=[^/\\]+$)/s.exec(old) ?? []) : [];
  const isName =
    typeof path === 'string' && from !== undefined && given[from] === path && !/[/\\]/.test(path);
  if (!isName || folder === undefined) return reading;
  const adjusted = [...reading.adjusted, `\`new_path\` as ${JSON.stringify(`${folder}${path}`)}`];
  return { fields: { ...reading.fields, new_path: `${folder}${path}` }, adjusted };
}

/** Checks arguments that were understood. */
export function checkInput<I extends z.ZodType>(schema: I, given: GivenFields): InputReading<z.output<I>> {
  const parsed = schema.safeParse(given.fields);
  if (parsed.success) return { kind: 'input', input: parsed.data, adjusted: given.adjusted };
  return { kind: 'faults', faults: explainFaults(schema, given.fields, parsed.error) };
}

/** True if a call with these arguments changes files: it says so, it applies a preview, or that is the default. */
function writes({ shape }: z.ZodObject, given: Json): boolean {
  const field: unknown = Reflect.get(shape, 'dry_run');
  if (!(field instanceof z.ZodType)) return false;
  const asked = readValue(field, given.dry_run ?? undefined);
  if (typeof asked === 'boolean') return !asked;
  return field.safeParse(undefined).data === false || (given.plan_id ?? undefined) !== undefined;
}
