import path from 'node:path';
import { parse, TomlError } from 'smol-toml';

/** The value of a configuration file, or why it cannot be parsed. */
type Parsed = { readonly value: unknown } | { readonly wrong: string };

/** True if the file name ends in `.json`; any other file is TOML. */
export function isJson(file: string): boolean {
  return path.extname(file) === '.json';
}

/** Parses TOML or JSON, chosen by the file name. The error gives a position and never quotes the file. */
export function parseFile(file: string, content: string): Parsed {
  const json = isJson(file);
  try {
    return { value: withoutSchema(json ? JSON.parse(content) : parse(content)) };
  } catch (thrown) {
    return { wrong: json ? jsonError(thrown, content) : tomlError(thrown) };
  }
}

/** `$schema` only helps editors to find the schema, so it is dropped. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$schema'));
}

function tomlError(thrown: unknown): string {
  if (!(thrown instanceof TomlError)) return 'this is not TOML.';
  const [first = ''] = thrown.message.split('\n');
  const what = first.replace('Invalid TOML document: ', '');
  return `line ${thrown.line}, column ${thrown.column}: ${what}. Correct the TOML there.`;
}

/** V8's message has an offset for most errors but may quote the file, so only the offset is used. */
function jsonError(thrown: unknown, content: string): string {
  const message = thrown instanceof Error ? thrown.message : '';
  const [, offset] = / at position (\d+)/.exec(message) ?? [];
  const fix = 'JSON has no comments and no trailing commas.';
  if (offset === undefined) return `it is not JSON. ${fix}`;
  const before = content.slice(0, Number(offset)).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: it is not JSON. ${fix}`;
}
