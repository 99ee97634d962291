/** Kinds of symbols, in the order of LSP, which numbers them from 1. */
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

/** Kind of a symbol. */
export type SymbolKind = (typeof symbolKinds)[number];
