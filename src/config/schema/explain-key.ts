import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { list, object } from '../../core/runtime/json.ts';
import { nearestName } from '../../core/wording/nearest-name.ts';
import type { EffectiveValue } from '../effective-value.ts';
import type { ListedServer } from '../servers/list-servers.ts';
import { type KeyFacts, keyFacts } from './key-facts.ts';

/** What `lspan config --explain KEY --json` prints. */
export interface ExplainedKey {
  readonly key: string;
  readonly meaning: string;
  readonly type: string;
  /** Absent if every value of the type is allowed. */
  readonly allowed?: string;
  readonly default: string;
  /** Values in effect, with who has set them; of a server's key, only who has, since a value may be a secret. */
  readonly in_effect: readonly EffectiveValue[];
  /** In TOML, with the table that it stands in. */
  readonly example: string;
}

/** What is in effect. */
interface InEffect {
  readonly values: readonly EffectiveValue[];
  readonly servers: readonly ListedServer[];
}

/** Explains one key of the configuration. Throws `invalid_input` for an unknown or ambiguous one. */
export function explainKey(given: string, inEffect: InEffect): ExplainedKey {
  const all = keyFacts();
  const facts = factsOf(given, all);
  const schema = object(z.toJSONSchema(facts.schema, { target: 'draft-7', io: 'input' }));
  const allowed = allowedOf(schema);
  return {
    key: facts.key,
    meaning: facts.meaning,
    type: typeOf(schema),
    ...(allowed === undefined ? {} : { allowed }),
    default: facts.defaultText.replace('as below', 'that of each of its keys').replaceAll('`', ''),
    in_effect: valuesOf(facts, inEffect),
    example: exampleIn(facts, all),
  };
}

function factsOf(given: string, all: readonly KeyFacts[]): KeyFacts {
  const [, outer = ''] = /^(deadlines_s|files)\./.exec(given) ?? [];
  const exact = all.find(({ key }) => key === given || key === outer);
  if (exact !== undefined) return exact;
  const [first, ...others] = all.filter(({ name }) => name === given);
  if (first !== undefined && others.length === 0) return first;
  const same = [first, ...others].flatMap((one) => one?.key ?? []);
  if (same.length > 0) throw wrongKey(`${given} is in several tables.`, `Name one: ${same.join(', ')}.`);
  const nearest = nearestName(given, [...all.map(({ key }) => key), ...all.map(({ name }) => name)]);
  const advice = nearest === undefined ? 'docs/configuration.md lists all.' : `Did you mean ${nearest}?`;
  throw wrongKey(`There is no key ${given}.`, advice);
}

function wrongKey(what: string, nextStep: string): LspanError {
  return new LspanError('invalid_input', `${what} ${nextStep}`, { nextStep });
}

function valuesOf({ key, table, name }: KeyFacts, { values, servers }: InEffect): readonly EffectiveValue[] {
  if (table !== 'servers' && key !== 'servers')
    return values.filter((one) => one.key === key || one.key.startsWith(`${key}.`));
  return servers.flatMap(({ id, changes }) => {
    const own = changes.filter(({ keys }) => key === 'servers' || keys.includes(name));
    const origins = own.map(({ origin }) => origin);
    return origins.length === 0 ? [] : [{ key: `${key} of ${id}`, value: undefined, origins }];
  });
}

/** An entry of a server needs its id. */
function exampleIn({ table, key, example }: KeyFacts, all: readonly KeyFacts[]): string {
  const of = (wanted: string) => all.filter((one) => one.key === wanted).map((one) => one.example);
  if (key === 'servers') return ['[[servers]]', ...of('servers.id'), ...of('servers.enabled')].join('\n');
  if (table === undefined) return example;
  if (table !== 'servers') return `[${table}]\n${example}`;
  return ['[[servers]]', ...new Set([...of('servers.id'), example])].join('\n');
}

const types: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a text',
  object: 'a table',
};

function typeOf(schema: Readonly<Record<string, unknown>>): string {
  const { anyOf, type, items } = schema;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeOf(object(one))))].join(', or ');
  if (type !== 'array') return types[String(type)] ?? 'a text';
  const [first = items] = list(items);
  const inner = typeOf(object(first)).replace(/^an? /, '');
  return `a list of ${inner}s`;
}

function allowedOf(schema: Readonly<Record<string, unknown>>): string | undefined {
  const { anyOf, items, minimum, maximum, properties } = schema;
  const fixed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (Array.isArray(fixed)) return fixed.map((one) => JSON.stringify(one)).join(', ');
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (properties !== undefined) return `the keys ${Object.keys(object(properties)).join(', ')}`;
  const inner = Array.isArray(anyOf) ? anyOf : list([items]).filter((one) => one !== undefined);
  const told = inner.flatMap((one) => allowedOf(object(one)) ?? []);
  return told.length === 0 ? undefined : [...new Set(told)].join(', or ');
}
