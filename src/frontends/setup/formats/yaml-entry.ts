import type { Json } from '../../../core/runtime/json.ts';

/**
 * Reads an entry of keys with scalars, lists of scalars and empty mappings; `undefined` for one that has anything else,
 * which is then compared as text.
 */
export function readYamlEntry(text: string): Json | undefined {
  const [head = '', ...lines] = text.split('\n');
  if (!/^[^#]*:[ \t]*(?:#.*)?$/.test(head)) return undefined;
  const indent = /^ */.exec(lines[0] ?? '')?.[0] ?? '';
  const entry: Record<string, unknown> = {};
  let list: unknown[] | undefined;
  for (const line of lines) {
    const [, item] = /^ *- +(.*)$/.exec(line) ?? [];
    const [, key = '', value] = /^([\w-]+):(?: +(.*))?$/.exec(line.slice(indent.length)) ?? [];
    if (item !== undefined && list !== undefined) list.push(scalarOf(item));
    else if (key === '' || !line.startsWith(indent) || Object.hasOwn(entry, key)) return undefined;
    else entry[key] = list = [];
    if (key !== '' && item === undefined && value !== undefined && !value.startsWith('#')) {
      entry[key] = valueIn(value);
      list = undefined;
    }
  }
  const values = Object.values(entry).flat();
  return values.includes(undefined) ? undefined : entry;
}

function valueIn(text: string): unknown {
  if (/^\{\s*\}/.test(text)) return {};
  const [, items] = /^\[([^[\]]*)\][ \t]*(?:#.*)?$/.exec(text) ?? [];
  if (items === undefined) return scalarOf(text);
  if (items.trim() === '') return [];
  const parts = items.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(scalarOf);
}

/** Reads a scalar of one line; `undefined` for forms that mean more than their text. */
function scalarOf(text: string): string | number | boolean | undefined {
  const [, double, single, plain] =
    /^(?:("(?:[^"\\]|\\["\\/nrt])*")|'((?:[^']|'')*)'|((?:[^\s"'&*!|>%@`[{#,?:-]|-(?=[\w-]))[^#]*?))[ \t]*(?:[ \t]#.*)?$/.exec(
      text,
    ) ?? [];
  if (double !== undefined) return String(JSON.parse(double));
  if (single !== undefined) return single.replaceAll("''", "'");
  if (plain === undefined || /: |:$/.test(plain)) return undefined;
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return /^-?\d+$/.test(plain) ? Number(plain) : plain;
}
