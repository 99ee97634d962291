import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { symbolKinds } from '../../core/symbol-kinds.ts';
import { nearestName } from '../../core/wording/nearest-name.ts';
import { consentAliases, fieldAliases, jointAliases, spelling } from './field-aliases.ts';
import { fieldsMeant } from './read-fields.ts';
import { bareSchema } from './read-value.ts';

/** What is wrong with an input: sentences in our own words, and the fields of the object that they are about. */
export interface InputFaults {
  readonly message: string;
  readonly nextStep: string;
}

/** Explains what a schema refuses. No text of the library that checks it is passed on. */
export function explainFaults(schema: z.ZodType, given: unknown, { issues }: z.core.$ZodError): InputFaults {
  const unknown = issues.flatMap((issue) => unknownFields(schema, given, issue));
  const meant = new Set(
    unknown.flatMap(({ path, hints }) => hints.map((hint) => nameOf([...path.slice(0, -1), hint]))),
  );
  const others = issues.flatMap((issue) => {
    const isUnknown = issue.code === 'unrecognized_keys' || meant.has(nameOf(issue.path));
    return isUnknown ? [] : [explain(schema, given, issue)];
  });
  const message = [...new Set([...others, ...unknown.map(unknownField)])].join(' ');
  const needy = [
    ...unknown.filter(({ hints }) => hints.length === 0).map(({ path }) => path),
    ...issues.map(({ path }) => path).filter((path) => path.length > 0 && valueAt(given, path) === undefined),
  ];
  const around = needy.find((path) => !meant.has(nameOf(path)))?.slice(0, -1);
  return { message, nextStep: around === undefined ? correct : listFields(schema, around) };
}

const correct = 'Correct that, and call again.';

function listFields(schema: z.ZodType, around: Path): string {
  const names = namesAt(schema, around);
  const of = around.length === 0 ? 'The fields are' : `The fields of \`${nameOf(around)}\` are`;
  return names.length === 0 ? correct : `${of}: ${names.join(', ')}.`;
}

type Path = readonly PropertyKey[];

function explain(schema: z.ZodType, given: unknown, issue: z.core.$ZodIssue): string {
  const { path } = issue;
  const value = valueAt(given, path);
  const field = path.length === 0 ? 'The input' : `\`${nameOf(path)}\``;
  if (value === undefined && path.length > 0) {
    const words = issue.code === 'invalid_value' ? `: one of ${issue.values.map(String).join(', ')}` : '';
    return `${field} is missing${words}.`;
  }
  return `${field} ${wish(issue, value)}.${suggestion(schema, issue, value)}`;
}

/** Says what a value must be, and what it is. */
function wish(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map(String).join(', ')}, not ${shown(value)}`;
  if (issue.code === 'too_small')
    return issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int'
      ? 'is empty'
      : `must be at least ${issue.minimum}, not ${shown(value)}`;
  if (issue.code === 'too_big') return tooBig(issue, value);
  if (issue.code === 'invalid_type')
    return `must be ${kinds[issue.expected] ?? 'something else'}, not ${shown(value)}`;
  // A check of our own says what it wants in our own words.
  return issue.code === 'custom' ? `${issue.message}, not ${shown(value)}` : `cannot be ${shown(value)}`;
}

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig, value: unknown): string {
  if (origin === 'string') return `has more than ${maximum} characters`;
  return origin === 'array'
    ? `has more than ${maximum} items`
    : `must be at most ${maximum}, not ${shown(value)}`;
}

const kinds: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isRecord(value)) return 'an object';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > limits.quoted.argument ? `${text.slice(0, limits.quoted.argument)}…` : text;
}

/** A field that a tool does not have, and what may be meant by it. */
interface UnknownField {
  readonly path: Path;
  readonly hints: readonly string[];
}

function unknownFields(schema: z.ZodType, given: unknown, issue: z.core.$ZodIssue): readonly UnknownField[] {
  if (issue.code !== 'unrecognized_keys') return [];
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    return { path, hints: hintsFor(schema, given, path) };
  });
}

/** Returns what a name may mean: a field by another name, a consent, a field one level below, or a mistyped one. */
function hintsFor(schema: z.ZodType, given: unknown, path: Path): readonly string[] {
  const [around, name, value] = [path.slice(0, -1), String(path.at(-1)), valueAt(given, path)];
  const names = namesAt(schema, around);
  const meant = fieldsMeant(name, names);
  if (meant.length > 0) return meant;
  const consents = consentAliases.get(spelling(name)) ?? [];
  const consent = consents.filter((one) => names.includes(one.replace(/:.*/, '')));
  if (consent.length > 0) return consent.map((one) => (value === false ? opposite(one) : one));
  const below = names.flatMap((field) => innerNames(schema, around, field, name));
  if (below.length > 0) return below;
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return [nearest];
  // What resembles another name of a field that is given, such as `replace_all` beside `new_text`, is something else.
  const free = names.filter((field) => valueAt(given, [...around, field]) === undefined);
  const aliases = free.flatMap((field) => fieldAliases[field] ?? []);
  const alias = nearestName(spelling(name), aliases);
  return alias === undefined || name.length < limits.shortestMistyped ? [] : fieldsMeant(alias, free);
}

/** Returns what a name may mean within an object, or within the items of a list. */
function innerNames(schema: z.ZodType, around: Path, field: string, name: string): readonly string[] {
  return [
    ...fieldsMeant(name, namesAt(schema, [...around, field])).map((inner) => `${field}.${inner}`),
    ...fieldsMeant(name, namesAt(schema, [...around, field, 0])).map((inner) => `${field}[0].${inner}`),
  ];
}

/** `apply: false` is a preview. */
function opposite(consent: string): string {
  return consent.endsWith('false') ? consent.replace('false', 'true') : consent.replace('true', 'false');
}

function unknownField({ path, hints }: UnknownField): string {
  const quoted = JSON.stringify(nameOf(path).slice(0, limits.quoted.argument));
  const and = jointAliases.has(spelling(String(path.at(-1)))) ? ' and ' : ' or ';
  const question = hints.length === 0 ? '' : ` Did you mean ${hints.map((one) => `\`${one}\``).join(and)}?`;
  return `Unknown field: ${quoted}.${question}`;
}

/**
 * Names the value that was probably meant, or the field that the value fits better: a list is for the plural, and
 * `kind: "class"` is a kind of symbol.
 */
function suggestion(schema: z.ZodType, issue: z.core.$ZodIssue, value: unknown): string {
  const { path } = issue;
  const name = String(path.at(-1) ?? '');
  const names = namesAt(schema, path.slice(0, -1));
  const plural = `${name}s`;
  if (Array.isArray(value) && names.includes(plural)) return ` Did you mean \`${plural}\`?`;
  const isKind = name === 'kind' && symbolKinds.some((kind) => spelling(kind) === spelling(String(value)));
  if (isKind && names.includes('symbol_kind')) return ' Did you mean `symbol_kind`?';
  const words = issue.code === 'invalid_value' ? issue.values.map(String) : [];
  const nearest =
    typeof value === 'string' ? (nearestName(value, words) ?? beginning(value, words)) : undefined;
  return nearest === undefined ? '' : ` Did you mean ${JSON.stringify(nearest)}?`;
}

/** Returns the only word that an abbreviation begins, such as `func`. */
function beginning(value: string, words: readonly string[]): string | undefined {
  const [only, ...others] = words.filter((word) => word.startsWith(value.toLowerCase()));
  return value.length > 2 && others.length === 0 ? only : undefined;
}

/** Writes the path of a field: `edits[0].new_text`. */
function nameOf(path: Path): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

function valueAt(given: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, part) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isThere ? Reflect.get(value, part) : undefined;
  }, given);
}

/** Returns the names of the fields of the object at a path. */
function namesAt(schema: unknown, path: Path): readonly string[] {
  const bare = bareSchema(schema);
  const [first, ...rest] = path;
  if (bare instanceof z.ZodArray && first !== undefined) return namesAt(bare.element, rest);
  if (!(bare instanceof z.ZodObject)) return [];
  if (first === undefined) return Object.keys(bare.shape);
  return namesAt(new Map<PropertyKey, unknown>(Object.entries(bare.shape)).get(first), rest);
}
