import path from 'node:path';
import { parse, TomlError } from 'smol-toml';

/** What a configuration file's text means, or why it means nothing. */
export type Parsed = { readonly value: unknown } | { readonly wrong: string };

/** Whether a configuration file is JSON, by its name; else it is TOML. */
export function isJson(file: string): boolean {
  return path.extname(file) === '.json';
}

/** Reads TOML or JSON, as the name says. The complaint holds no word of the file, only where it is wrong. */
export function parseFile(file: string, content: string): Parsed {
  const json = isJson(file);
  try {
    return { value: withoutSchema(json ? JSON.parse(content) : parse(content)) };
  } catch (thrown) {
    return { wrong: json ? jsonComplaint(thrown, content) : tomlComplaint(thrown) };
  }
}

/** Editors look in `$schema` for the schema of a file; it is not meant for us. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$schema'));
}

function tomlComplaint(thrown: unknown): string {
  if (!(thrown instanceof TomlError)) return 'this is not TOML.';
  const [first = ''] = thrown.message.split('\n');
  const what = first.replace('Invalid TOML document: ', '');
  return `line ${thrown.line}, column ${thrown.column}: ${what}. Correct the TOML there.`;
}

/** The engine tells an offset for most faults, and may quote the file; only the offset is taken. */
function jsonComplaint(thrown: unknown, content: string): string {
  const message = thrown instanceof Error ? thrown.message : '';
  const [, offset] = / at position (\d+)/.exec(message) ?? [];
  const fix = 'JSON has no comments and no trailing commas.';
  if (offset === undefined) return `it is not JSON. ${fix}`;
  const before = content.slice(0, Number(offset)).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: it is not JSON. ${fix}`;
}
