/** Merges `above` over `below`: tables are merged key by key, everything else is replaced. */
export function mergeDeep(below: unknown, above: unknown): unknown {
  if (above === undefined) return below;
  return isTable(below) && isTable(above) ? mergeTables(below, above) : above;
}

/** Merges two tables key by key, the second over the first. */
export function mergeTables(below: Table, above: Table): Table {
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  keys.delete('__proto__');
  return Object.fromEntries([...keys].map((key) => [key, mergeDeep(own(below, key), own(above, key))]));
}

/** Turns dotted names into nested tables: `{ 'a.b': 1 }` is `{ a: { b: 1 } }`. */
export function nestTable(flat: Table): Table {
  return Object.entries(flat).reduce<Table>((nested, [name, value]) => {
    const inner = name
      .split('.')
      .reduceRight<unknown>((held, part) => Object.fromEntries([[part, held]]), value);
    return isTable(inner) ? mergeTables(nested, inner) : nested;
  }, {});
}

/** Returns the value at a dotted path; the whole table for an empty path. */
export function valueAt(table: Table, path: string): unknown {
  if (path === '') return table;
  return path
    .split('.')
    .reduce<unknown>((held, part) => (isTable(held) ? own(held, part) : undefined), table);
}

type Table = Readonly<Record<string, unknown>>;

function own(table: Table, key: string): unknown {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isTable(value: unknown): value is Table {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
