// What a model pays before it asks anything, and for what it is answered.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { startMcpClient } from './mcp-client.js';
import { generateProject } from './project.js';
import { bin, env, workFolder } from './work.js';

const target = 3000;
const share = 0.35;

/** Counts the tokens of the default list of tools with the instructions, and of typical answers against the same as JSON. */
export async function measureTokens() {
  return [...(await measureOffer()), ...(await measureAnswers())];
}

async function measureOffer() {
  const lspan = startMcpClient({ bin, args: ['mcp'], cwd: workFolder, env });
  const { instructions } = await lspan.initialize();
  const { tools } = await lspan.request('tools/list');
  await lspan.stop();
  const tokens = countTokens(JSON.stringify(tools)) + countTokens(instructions);
  return [
    {
      what: `tools/list and instructions, ${tools.length} tools`,
      measured: `${tokens} tokens`,
      target: `≤ ${target} tokens (o200k)`,
      pass: tokens <= target,
    },
  ];
}

async function measureAnswers() {
  const { folder, file, names, probes } = await generateProject('typescript', 50);
  await writeFile(path.join(folder, 'src/broken.ts'), broken);
  const [definition] = probes;
  const at = { file_path: definition.file, line: definition.line + 1, character: definition.character + 1 };
  const calls = {
    find_definition: at,
    find_references: { symbol_name: names.many },
    find_implementations: { symbol_name: 'Shape' },
    get_call_hierarchy: { symbol_name: names.few },
    get_type_hierarchy: { symbol_name: 'Shape' },
    search_workspace_symbols: { query: 'compute' },
    get_document_symbols: { file_path: file },
    get_completions: at,
    get_inlay_hints: { file_path: file },
    get_diagnostics: { file_path: 'src/broken.ts' },
    get_code_actions: { file_path: 'src/broken.ts' },
  };
  const lspan = startMcpClient({
    bin,
    args: ['mcp', '--toolset', 'all', '--workspace', folder],
    cwd: folder,
    env,
  });
  await lspan.initialize();
  const { tools } = await lspan.request('tools/list');
  const rows = [];
  for (const { name } of tools.filter((tool) => Object.hasOwn(calls, tool.name))) {
    const { content, structuredContent, isError } = await lspan.request('tools/call', {
      name,
      arguments: calls[name],
    });
    if (process.env.LSPAN_SHOW) console.error(name, content[0].text);
    if (!isError) rows.push(compare(name, content[0].text, structuredContent));
  }
  await lspan.stop();
  return rows;
}

function compare(name, text, data) {
  const [ours, pretty] = [countTokens(text), countTokens(JSON.stringify(data, null, 2))];
  const things = data.returned === undefined ? '' : `, ${data.returned} of ${data.total}`;
  return {
    what: `${name}${things}: text against the same as pretty JSON`,
    measured: `${ours} of ${pretty} tokens, ${(ours / pretty).toFixed(2)} ×`,
    target: `≤ ${share} ×`,
    pass: ours / pretty <= share,
  };
}

/** Some errors, and something to implement and to complete. */
const broken = `interface Shape { area(): number }
class Square implements Shape {
  constructor(private side: number) {}
  area() {
    return this.side ** 2;
  }
}
class Circle implements Shape {
  constructor(private radius: number) {}
  area() {
    return 3 * this.radius ** 2;
  }
}
const shapes: Shape[] = [new Square('a'), new Circle(2), 3];
export const total: string = shapes.reduce((sum, shape) => sum + shape.area(), 0);
export const missing = undefinedName + 1;
import { nothing } from './nowhere';
`;
