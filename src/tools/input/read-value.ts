import { z } from 'zod';
import { isRecord } from '../../core/runtime/json.ts';
import { spelling, valueAliases } from './field-aliases.ts';

/** Returns the schema of a value that is given: without what makes it optional, and as it is before it is converted. */
export function bareSchema(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bareSchema(schema.unwrap());
  return schema instanceof z.ZodPipe ? bareSchema(schema.in) : schema;
}

/** True if a field need not be given. */
export function isOptional(schema: unknown): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/**
 * Reads a single value as its field wants it, if it can only mean one thing: `"7"`, `"False"`, `Error`, one item for
 * a list of one, JSON in quotes. Any other value is returned as it is, for the schema to refuse.
 */
export function readValue(schema: unknown, given: unknown): unknown {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodNumber) return readNumber(given);
  if (bare instanceof z.ZodBoolean) return readFlag(given);
  if (bare instanceof z.ZodEnum) return readWord(bare.options, given);
  if (bare instanceof z.ZodString) return readText(given);
  if (bare instanceof z.ZodArray) return readList(bare, given);
  const isObject = bare instanceof z.ZodObject || bare instanceof z.ZodRecord;
  return isObject ? (jsonIn(given, isRecord) ?? given) : given;
}

function readNumber(given: unknown): unknown {
  return typeof given === 'string' && /^\s*-?\d{1,9}\s*$/.test(given) ? Number(given) : given;
}

function readFlag(given: unknown): unknown {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : given;
  if (word === 'true') return true;
  return word === 'false' ? false : given;
}

function readWord(words: readonly unknown[], given: unknown): unknown {
  if (typeof given !== 'string' || words.includes(given)) return given;
  const same = words.filter((word) => typeof word === 'string' && spelling(word) === spelling(given));
  if (same.length === 1) return same[0];
  const meant = valueAliases.get(spelling(given));
  return meant !== undefined && words.includes(meant) ? meant : given;
}

function readText(given: unknown): unknown {
  return Array.isArray(given) && given.length === 1 && typeof given[0] === 'string' ? given[0] : given;
}

function readList({ element }: z.ZodArray, given: unknown): unknown {
  const bare = bareSchema(element);
  const list = jsonIn(given, Array.isArray) ?? given;
  if (Array.isArray(list)) return list.map((item) => readValue(element, item));
  if (bare instanceof z.ZodEnum && typeof list === 'string')
    return list.split(/[\s,]+/).map((word) => readWord(bare.options, word));
  const one = readValue(element, list);
  const fits = bare instanceof z.ZodObject ? isRecord(one) : typeof one === 'string';
  return fits ? [one] : given;
}

/** Returns the value of JSON in quotes, which some clients send for objects and lists. */
function jsonIn(given: unknown, is: (value: unknown) => boolean): unknown {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given)) return undefined;
  const value = parsed(given);
  return is(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
