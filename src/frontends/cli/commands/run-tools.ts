import { isRecord, list } from '../../../core/runtime/json.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import type { CatalogueTool } from '../../../surfaces/catalogue-fields.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { columns, wrapped } from '../wrapped.ts';

type ToolsCommand = Extract<CommandLine, { readonly kind: 'tools' }>;

/** Runs `lspan tools`: prints the tools of a surface, or the fields of one. */
export async function runTools(
  { flags, tool }: ToolsCommand,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const surface = flags.surface ?? 'lspan';
  checkNames(catalogue, { surface, toolsets: [], ...(tool !== undefined && { tool }) }, 'tools');
  const { tools = [] } = catalogue.find(({ name }) => name === surface) ?? {};
  const one = tools.find(({ name }) => name === tool);
  const data = one ?? tools;
  if (flags.json) await write(`${JSON.stringify(data)}\n`);
  else await write(`${(one ? describeTool(one) : describeAll(tools)).join('\n')}\n`);
  return 0;
}

function describeAll(tools: readonly CatalogueTool[]): readonly string[] {
  const rows = tools.map(({ name, description, toolset, listed }) => {
    const how = listed ? '' : ` (not listed by default: --toolset ${toolset})`;
    return [name, `${description}${how}`] as const;
  });
  return columns(rows);
}

function describeTool({ name, description, toolset, listed, inputSchema }: CatalogueTool): readonly string[] {
  const required = new Set(list(inputSchema.required));
  const fields = isRecord(inputSchema.properties) ? Object.entries(inputSchema.properties) : [];
  const rows = fields.map(([field, schema]) => [field, describeField(schema, required.has(field))] as const);
  const where = `Toolset ${toolset}${listed ? '' : ', not listed by default'}.`;
  return [...wrapped(`${name}: ${description} ${where}`), '', ...columns(rows)];
}

function describeField(schema: unknown, isRequired: boolean): string {
  const { type, description, enum: words, items } = isRecord(schema) ? schema : {};
  const of = isRecord(items) ? ` of ${String(items.type)}` : '';
  const isDefault = isRecord(schema) && 'default' in schema;
  return [
    `${String(type)}${of}`,
    ...(isRequired ? ['required'] : []),
    ...(Array.isArray(words) ? [`one of ${words.join(', ')}`] : []),
    ...(isDefault ? [`default ${JSON.stringify(schema.default)}`] : []),
    ...(typeof description === 'string' ? [description] : []),
  ].join('; ');
}
