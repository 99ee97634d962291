import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/** Finds the line of a key in the text of a configuration file: its own, or that of the nearest key around it. */
export function keyLines(
  text: string,
  form: 'toml' | 'json',
): (keys: readonly PropertyKey[]) => number | undefined {
  const lineAt = form === 'json' ? jsonLines(text) : tomlLines(text);
  return (keys) => {
    for (let length = keys.length; length > 0; length -= 1) {
      const line = lineAt(keys.slice(0, length));
      if (line !== undefined) return line;
    }
    return undefined;
  };
}

type LineAt = (keys: readonly PropertyKey[]) => number | undefined;

function jsonLines(text: string): LineAt {
  const tree = parseTree(text);
  return (keys) => {
    const path = keys.map((key) => (typeof key === 'number' ? key : String(key)));
    const value = tree && findNodeAtLocation(tree, path);
    return value && text.slice(0, startOf(value)).split('\n').length;
  };
}

/** A key stands before its value, maybe on another line. */
function startOf({ parent, offset }: Node): number {
  return parent?.type === 'property' ? parent.offset : offset;
}

const bareOrQuoted = /"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+/g;
const header = /^\s*(\[\[?)((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\]"'])*)\]/;
const assignment = /^\s*((?:(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*\.?\s*)+)=/;

/** Reads only where keys and tables begin, and what stands in texts of several lines is skipped. */
function tomlLines(text: string): LineAt {
  const found = new Map<string, number>();
  const counts = new Map<string, number>();
  let table: readonly PropertyKey[] = [];
  let quotes: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const isInside = quotes !== undefined;
    quotes = quotesAfter(line, quotes);
    if (isInside) continue;
    const [, brackets, names = ''] = header.exec(line) ?? [];
    const keys = partsOf(brackets === undefined ? assignment.exec(line)?.[1] : names);
    if (keys.length === 0) continue;
    if (brackets !== undefined) table = tableOf(keys, brackets === '[[', counts);
    const path = brackets === undefined ? [...table, ...keys] : table;
    for (let length = table.length; length <= path.length; length += 1)
      note(found, path.slice(0, length), index + 1);
  }
  return (keys) => found.get(JSON.stringify(keys));
}

function note(found: Map<string, number>, path: readonly PropertyKey[], line: number): void {
  const key = JSON.stringify(path);
  if (!found.has(key)) found.set(key, line);
}

function partsOf(names: string | undefined): readonly string[] {
  return (names?.match(bareOrQuoted) ?? []).map((name) => name.replace(/^(["'])(.*)\1$/s, '$2'));
}

/** Each `[[name]]` begins the next element of a list; `[name.key]` below it belongs to the last one. */
function tableOf(
  names: readonly string[],
  isElement: boolean,
  counts: Map<string, number>,
): readonly PropertyKey[] {
  const path: PropertyKey[] = [];
  for (const [index, name] of names.entries()) {
    path.push(name);
    const key = JSON.stringify(path);
    const count = counts.get(key);
    if (isElement && index === names.length - 1) counts.set(key, (count ?? 0) + 1);
    const last = counts.get(key);
    if (last !== undefined) path.push(last - 1);
  }
  return path;
}

/** Returns the quotes of a text of several lines that is open at the end of a line. */
function quotesAfter(line: string, open: string | undefined): string | undefined {
  let quotes = open;
  for (const [mark] of line.matchAll(/"""|'''/g)) {
    if (quotes === undefined) quotes = mark;
    else if (quotes === mark) quotes = undefined;
  }
  return quotes;
}
