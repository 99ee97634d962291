import { symbolKinds } from '../../src/core/symbol-kinds.ts';
import type { CatalogueTool } from '../../src/surfaces/catalogue-fields.ts';
import { comment, type Rendering, renderFields, type Schema } from './render-type.ts';

/** Types that several tools share: name, description, and the path of one occurrence. */
const shapes = [
  [
    'CodeLocation',
    'A location in a file. Lines and characters are 1-based; the end is exclusive.',
    'find_definition',
    'definitions',
  ],
  [
    'CodeMention',
    'A place where the name occurs that is not a use of the symbol, or not one that a server knows.',
    'find_references',
    'mentions',
  ],
  ['CodeProblem', 'A problem of a file, with its location.', 'get_diagnostics', 'diagnostics'],
  [
    'HierarchyRoot',
    'The symbol whose callers, callees or types were requested.',
    'get_call_hierarchy',
    'roots',
  ],
  ['HierarchyEntry', 'A symbol below another in a hierarchy.', 'get_call_hierarchy', 'calls'],
  ['ChangedFile', 'The effect of a change on one file.', 'rename_symbol', 'plan', 'files'],
  ['ChangePlan', 'A checked and previewed change, which can be applied by its id.', 'rename_symbol', 'plan'],
  ['AppliedEdit', 'An applied change, which can be undone by its id.', 'rename_symbol', 'edit'],
  ['ChangeStep', 'A change of an atomic batch, applied together with the others.', 'rename_symbol', 'step'],
  ['ChangedServer', 'The outcome for one server.', 'restart_server', 'servers'],
] as const;

const envelope = ['complete', 'doubts', 'total', 'returned', 'next_cursor', 'adjusted'];

/** Renders the modules of src/library/from-schemas that type the calls of tools: one per toolset, and the shared types. */
export function renderCalls(tools: readonly CatalogueTool[]): ReadonlyMap<string, string> {
  const named = new Map(
    shapes.map(([name, , tool, ...fields]) => [JSON.stringify(shapeAt(tools, tool, fields)), name]),
  );
  const nameOf = (schema: Schema) => named.get(JSON.stringify(schema)) ?? coreName(schema);
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].sort();
  const modules = toolsets.map((toolset): [string, string] => {
    const own = tools.filter((tool) => tool.toolset === toolset);
    return [toolset, withImports(own.map((tool) => renderTool(tool, nameOf)).join('\n'), 'shapes')];
  });
  return new Map([
    ['shapes.ts', withImports(renderShapes(tools, nameOf))],
    ...modules.map(([toolset, text]): [string, string] => [`${toolset}.ts`, text]),
    ['tool-calls.ts', renderMap(tools)],
  ]);
}

function renderTool(tool: CatalogueTool, nameOf: Rendering['nameOf']): string {
  const { name, description, inputSchema } = tool;
  const given = { nameOf, isGiven: true };
  const answer = answerOf(tool);
  const payload = Object.entries(answer.properties ?? {}).filter(([key]) => !envelope.includes(key));
  const told = renderFields(
    { ...answer, properties: Object.fromEntries(payload) },
    { nameOf, isGiven: false },
    '  ',
  );
  return [
    comment(`Arguments of \`${name}\`. ${description}`),
    `export interface ${pascal(name)}Args {\n${renderFields(inputSchema, given, '  ')}}\n\n`,
    comment(`Data that \`${name}\` returns.`),
    told === ''
      ? `export type ${pascal(name)}Data = Told;\n`
      : `export interface ${pascal(name)}Data extends Told {\n${told}}\n`,
  ].join('');
}

function renderShapes(tools: readonly CatalogueTool[], nameOf: Rendering['nameOf']): string {
  const [first] = tools;
  if (!first) throw new Error('There are no tools.');
  const { properties = {}, required } = answerOf(first);
  const shared = { properties: pick(properties, envelope), ...(required && { required }) };
  const rendering = { nameOf, isGiven: false };
  const rendered = shapes.map(([name, about, tool, ...fields]) => {
    const shape = shapeAt(tools, tool, fields);
    return `${comment(about)}export interface ${name} {\n${renderFields(shape, rendering, '  ')}}\n`;
  });
  return [
    `${comment('Fields that every answer has besides its payload.')}export interface Told {\n${renderFields(shared, rendering, '  ')}}\n`,
    ...rendered,
  ].join('\n');
}

function renderMap(tools: readonly CatalogueTool[]): string {
  const toolsets = [...new Set(tools.map(({ toolset }) => toolset))].sort();
  const imports = toolsets.map((toolset) => {
    const own = tools.filter((tool) => tool.toolset === toolset);
    const names = own.flatMap(({ name }) => [`${pascal(name)}Args`, `${pascal(name)}Data`]).sort();
    return importOf(names, toolset);
  });
  const rows = tools.map(
    ({ name, title }) =>
      `  /** ${title}. */\n  readonly ${name}: {\n    readonly args: ${pascal(name)}Args;\n    readonly data: ${pascal(name)}Data;\n  };\n`,
  );
  const about = comment('Arguments and data of every tool, by name.');
  return `${imports.join('')}\n${about}export interface ToolCalls {\n${rows.join('')}}\n`;
}

function importOf(names: readonly string[], module: string): string {
  const line = `import type { ${names.join(', ')} } from './${module}.ts';\n`;
  if (line.length <= 111) return line;
  return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${module}.ts';\n`;
}

function withImports(text: string, from?: string): string {
  const shared = ['Told', ...shapes.map(([name]) => name)];
  const used = shared.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).sort();
  return [
    /\bDoubt\b/.test(text) ? "import type { Doubt } from '../../core/doubts.ts';\n" : '',
    /\bSymbolKind\b/.test(text) ? "import type { SymbolKind } from '../../core/symbol-kinds.ts';\n" : '',
    from && used.length > 0 ? importOf(used, from) : '',
    `\n${text}`,
  ].join('');
}

/** Returns the schema of an answer without its error alternative: `call` rejects with that. */
function answerOf({ outputSchema }: CatalogueTool): Schema {
  const schema: Schema = outputSchema;
  const answer = schema.anyOf?.find(
    ({ properties }) => properties && !('error' in properties && !('complete' in properties)),
  );
  if (!answer) throw new Error('A tool has no answer.');
  return answer;
}

function shapeAt(tools: readonly CatalogueTool[], tool: string, fields: readonly string[]): Schema {
  const found = tools.find(({ name }) => name === tool);
  if (!found) throw new Error(`There is no tool ${tool}.`);
  return fields.reduce((schema: Schema, field) => {
    const next = schema.properties?.[field];
    const items = next?.items;
    const shape = items && !Array.isArray(items) ? items : next;
    if (!shape) throw new Error(`${tool} tells no ${field}.`);
    return shape as Schema;
  }, answerOf(found));
}

/** Returns the name of a type that core declares. */
function coreName({ properties = {}, enum: choices }: Schema): string | undefined {
  const keys = Object.keys(properties).sort().join();
  if (keys === 'detail,kind,server' || keys === 'detail,kind') return 'Doubt';
  return choices?.join() === symbolKinds.join() ? 'SymbolKind' : undefined;
}

function pick<T>(all: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
}

function pascal(name: string): string {
  return name
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}
