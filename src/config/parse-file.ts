import path from 'node:path';
import { parse, TomlError } from 'smol-toml';

/** What a configuration file's text means, or why it means nothing. */
export type Parsed = { readonly value: unknown } | { readonly wrong: string };

/** Reads TOML or JSON, as the name says. The complaint holds no word of the file, only where it is wrong. */
export function parseFile(file: string, content: string): Parsed {
  const json = path.extname(file) === '.json';
  try {
    return { value: json ? JSON.parse(content) : parse(content) };
  } catch (thrown) {
    return { wrong: json ? jsonComplaint(thrown, content) : tomlComplaint(thrown) };
  }
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
