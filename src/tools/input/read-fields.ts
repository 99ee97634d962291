import { z } from 'zod';
import { isRecord, type Json } from '../../core/runtime/json.ts';
import { boundAliases, consentFields, fieldAliases, spelling } from './field-aliases.ts';
import { bareSchema, isOptional, readValue } from './read-value.ts';

/** Fields under our own names, and what was read otherwise than it was given. */
export interface FieldReading {
  readonly fields: Json;
  readonly adjusted: readonly string[];
}

/**
 * Reads fields whose names and values are not quite ours but can only mean one thing. What is not understood stays as
 * it is, for the schema to refuse.
 * @param isLiteral True for a call that writes: then no name is guessed.
 */
export function readFields(schema: z.ZodObject, given: Json, isLiteral: boolean): FieldReading {
  const shape: Json = schema.shape;
  const renamed = isLiteral ? new Map<string, string>() : renames(shape, given);
  const adjusted = [...renamed].map(([from, to]) => `\`${to}\` instead of \`${from}\``);
  const unused = Object.keys(given).filter((name) => isUnusedBound(name, shape, isLiteral));
  if (unused.length > 0) {
    const named = unused.map((name) => `\`${name}\``).join(' and ');
    adjusted.push(`without ${named}, since \`max_tokens\` bounds the answer`);
  }
  const entries = Object.entries(given).flatMap(([name, value]) => {
    if (unused.includes(name)) return [];
    const own = renamed.get(name) ?? name;
    if (!Object.hasOwn(shape, own)) return [[own, value] as const];
    if (isAbsent(shape[own], value, isLiteral)) return [];
    const inner = readInner(shape[own], readValue(shape[own], value), isLiteral);
    adjusted.push(...inner.adjusted);
    return [[own, inner.value] as const];
  });
  return { fields: Object.fromEntries(entries), adjusted: [...new Set(adjusted)] };
}

/** Returns the fields of a tool that a name can mean: the one that is only spelled differently, else by its aliases. */
export function fieldsMeant(name: string, names: readonly string[]): readonly string[] {
  const same = names.filter((field) => spelling(field) === spelling(name));
  if (same.length > 0) return same;
  return names.filter((field) => fieldAliases[field]?.includes(spelling(name)));
}

/** Returns the names that can only mean one of the fields that are not given, each with that field. */
function renames(shape: Json, given: Json): ReadonlyMap<string, string> {
  const names = Object.keys(shape);
  const free = names.filter((name) => given[name] === undefined || given[name] === null);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
  const meant = unknown.flatMap((name) => {
    const fields = fieldsMeant(name, free).filter((field) => fits(shape[field], given[name]));
    const [only, ...others] = fields;
    const isClear = only !== undefined && others.length === 0 && isHarmless(only, given[name]);
    return isClear ? [[name, only] as const] : [];
  });
  const targets = meant.map(([, field]) => field);
  return new Map(meant.filter(([, field]) => targets.indexOf(field) === targets.lastIndexOf(field)));
}

/** A field that lets something happen is not guessed; `dryRun: true` only prevents it. */
function isHarmless(field: string, value: unknown): boolean {
  return !consentFields.has(field) || (field === 'dry_run' && readValue(z.boolean(), value) === true);
}

/** Nothing inside is checked here: a fault there is told under the name that was meant. */
function fits(schema: unknown, value: unknown): boolean {
  const bare = bareSchema(schema);
  const read = readValue(schema, value);
  if (bare instanceof z.ZodArray) return Array.isArray(read);
  if (bare instanceof z.ZodObject || bare instanceof z.ZodRecord) return isRecord(read);
  return schema instanceof z.ZodType && schema.safeParse(read).success;
}

function isUnusedBound(name: string, shape: Json, isLiteral: boolean): boolean {
  const isRead = !isLiteral && 'max_tokens' in shape && !Object.hasOwn(shape, name);
  return isRead && boundAliases.has(spelling(name));
}

/** `null` and, unless the call writes, an empty text where none is possible: some clients fill every field. */
function isAbsent(schema: unknown, value: unknown, isLiteral: boolean): boolean {
  if (!isOptional(schema)) return false;
  if (value === null) return true;
  return value === '' && !isLiteral && schema instanceof z.ZodType && !schema.safeParse('').success;
}

function readInner(
  schema: unknown,
  value: unknown,
  isLiteral: boolean,
): { readonly value: unknown; readonly adjusted: readonly string[] } {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodObject && isRecord(value)) {
    const { fields, adjusted } = readFields(bare, value, isLiteral);
    return { value: fields, adjusted };
  }
  if (!(bare instanceof z.ZodArray) || !Array.isArray(value)) return { value, adjusted: [] };
  const items = value.map((item) => readInner(bare.element, item, isLiteral));
  return { value: items.map((item) => item.value), adjusted: items.flatMap((item) => item.adjusted) };
}
