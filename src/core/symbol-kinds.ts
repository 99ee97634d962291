/** The kinds of symbols, in the order in which language servers number them from 1. */
export const symbolKinds = [
  'file',
  'module',
  'namespace',
  'package',
  'class',
  'method',
  'property',
  'field',
  'constructor',
  'enum',
  'interface',
  'function',
  'variable',
  'constant',
  'string',
  'number',
  'boolean',
  'array',
  'object',
  'key',
  'null',
  'enum_member',
  'struct',
  'event',
  'operator',
  'type_parameter',
] as const;

/** What a symbol is. */
export type SymbolKind = (typeof symbolKinds)[number];
