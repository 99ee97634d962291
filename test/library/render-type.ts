/** The part of JSON Schema that lspan uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | readonly Schema[];
  readonly additionalItems?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** How types are rendered. */
export interface Rendering {
  /** Returns the name of a declared type for an object or a union, if there is one. */
  readonly nameOf: (schema: Schema) => string | undefined;
  /** Fields of arguments may be `undefined`; those of answers may not. */
  readonly isGiven: boolean;
}

/** Renders a schema as a TypeScript type. */
export function renderType(schema: Schema, rendering: Rendering, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  const name = rendering.nameOf(schema);
  if (name !== undefined) return name;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => renderType(one, rendering, indent)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => simple[type] ?? type).join(' | ');
  if (schema.type === 'array') return renderArray(schema, rendering, indent);
  if (schema.type === 'object') return renderObject(schema, rendering, indent);
  if (schema.allOf) return renderType(schema.allOf[0] ?? {}, rendering, indent);
  return typeof schema.type === 'string' ? (simple[schema.type] ?? 'unknown') : 'unknown';
}

const simple: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  null: 'null',
};

function renderArray({ items = {}, additionalItems }: Schema, rendering: Rendering, indent: string): string {
  const one = (schema: Schema) => renderType(schema, rendering, indent);
  if (!isList(items)) {
    const item = one(items);
    return /^[\w.]+$/.test(item) ? `readonly ${item}[]` : `ReadonlyArray<${item}>`;
  }
  const rest = additionalItems ? [`...${one(additionalItems)}[]`] : [];
  return `readonly [${[...items.map(one), ...rest].join(', ')}]`;
}

function isList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

function renderObject(schema: Schema, rendering: Rendering, indent: string): string {
  const { properties, additionalProperties: more } = schema;
  if (properties) return `{\n${renderFields(schema, rendering, `${indent}  `)}${indent}}`;
  const value = typeof more === 'object' ? renderType(more, rendering, indent) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

/** Renders the fields of an object with their descriptions as comments. */
export function renderFields(
  { properties = {}, required = [] }: Schema,
  rendering: Rendering,
  indent: string,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = renderType(schema, rendering, indent);
      const open = !isRequired && rendering.isGiven ? ' | undefined' : '';
      const key = /^[\w$]+$/.test(name) ? name : `'${name}'`;
      return `${renderComment(schema, indent)}${indent}readonly ${key}${isRequired ? '' : '?'}: ${type}${open};\n`;
    })
    .join('');
}

function renderComment(schema: Schema, indent: string): string {
  const { description, default: usual } = schema;
  const told = [
    ...(description === undefined ? [] : [description.replace(/([^.])$/, '$1.')]),
    ...(usual === undefined ? [] : [`Default: \`${JSON.stringify(usual)}\`.`]),
  ];
  return told.length === 0 ? '' : comment(told.join(' '), indent);
}

/** Renders a doc comment, wrapped to a readable length. */
export function comment(text: string, indent = ''): string {
  const words = text.replaceAll('*/', '* /').split(/\s+/);
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && indent.length + line.length + word.length > 105) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}
