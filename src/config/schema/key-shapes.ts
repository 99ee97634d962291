import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { extensionName } from '../servers/language-id.ts';

const { configuration } = limits;

/** Any string that can be passed to a program. */
export const plain = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character');

/** Like `plain`, but not empty. */
export const text = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/, 'must not contain a NUL character');

/** A list of non-empty strings. */
export const texts = z.array(text).max(configuration.entries);

/** A table that is passed on unchecked. */
export const table = z.record(z.string(), z.unknown());

/** A program, by its name in PATH or by an absolute path, and its arguments. */
export const command = z.tuple([text.refine(isNameOrAbsolute, 'is a relative path')], plain);

/** Environment variables. */
export const environment = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not the name of an environment variable'),
  plain,
);

/** An extension, a file name, or the first part of one (`Dockerfile.*`). */
export const extension = text.refine(
  (given) => extensionName(given) !== undefined,
  'is not a file extension or name',
);

/** A regular expression that is matched against a server's messages. */
export const pattern = text.max(configuration.pattern).refine(isPattern, 'is not a regular expression');

/** An absolute path, so that it does not depend on where lspan is started. */
export const folder = text.refine(isAbsoluteFolder, 'is not the absolute path of a folder below the root');

/** An absolute path on a machine of any kind. */
export const farFolder = text.refine(
  (given) => /^(?:\/|[a-z]:[\\/])/i.test(given) && !given.split(/[\\/]/).includes('..'),
  'is not an absolute path',
);

/** When a server is confined. */
export const confineMode = z.enum(['always', 'untrusted', 'never']);

/** Seconds; the bounds are in milliseconds. */
export function seconds(most: number, least = 1_000) {
  return z
    .number()
    .min(least / 1000)
    .max(most / 1000);
}

/** Mebibytes; the bounds are in bytes. */
export function megabytes(least: number, most: number) {
  return z
    .number()
    .min(least / mebibyte)
    .max(most / mebibyte);
}

/** An optional key with its description and an example in TOML. */
export function key<T extends z.ZodType>(schema: T, description: string, example: string) {
  return schema.optional().meta({ description, examples: [example] });
}

/** Bytes of one "MB" in configuration files and messages. */
export const mebibyte = 1024 ** 2;

// A relative path would name a different program in every folder that lspan is started in.
function isNameOrAbsolute(given: string): boolean {
  return !/[/\\]/.test(given) || isAbsolute(given);
}

function isAbsolute(given: string): boolean {
  return /^(\/|[A-Za-z]:[/\\]|\\\\)/.test(given);
}

function isAbsoluteFolder(given: string): boolean {
  return isAbsolute(given) && !/^([A-Za-z]:)?[/\\.]*$/.test(given);
}

function isPattern(given: string): boolean {
  try {
    return new RegExp(given) instanceof RegExp;
  } catch {
    return false;
  }
}
