import { cpSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { catalogue } from '../../../src/surfaces/catalogue.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** Two questions to a surface about the demo project, and a part of each answer. */
type Asked = readonly (readonly [tool: string, input: object, part: string])[];

const questions: Readonly<Record<string, (uriOf: (file: string) => string) => Asked>> = {
  lspan: () => [
    ['find_definition', { symbol_name: 'addPrices' }, 'src/price.ts\n  7:17 export function addPrices'],
    ['get_diagnostics', { file_path: 'src/main.ts' }, '8:46 error: Argument of type'],
  ],
  codeflow: () => [
    ['find_definition', { file_path: 'src/cart.ts', symbol_name: 'addPrices' }, '"character": 16'],
    ['get_document_symbols', { file_path: 'src/price.ts' }, '"name": "addPrices"'],
  ],
  pathfinder: (uriOf) => [
    ['definition', { uri: uriOf('src/cart.ts'), line: 0, character: 9 }, '"start":{"line":6,"character":16}'],
    ['definition', { uri: uriOf('src/cart.ts'), line: 0, character: 0 }, '[]'],
  ],
  gateway: (uriOf) => [
    [
      'vscode.lsp.definition',
      { uri: uriOf('src/cart.ts'), position: { line: 0, character: 10 } },
      '1 location.',
    ],
    ['vscode.lsp.hover', { uri: uriOf('src/price.ts'), position: { line: 6, character: 17 } }, '1 part.'],
  ],
  llxprt: () => [
    ['lsp_goto_definition', { file: 'src/cart.ts', line: 1, character: 10 }, 'src/price.ts:7:17'],
    ['lsp_document_symbols', { file: 'src/price.ts' }, 'function addPrices [line 7]'],
  ],
};

it.each(catalogue.map(({ name }) => name))('the surface %s answers over stdio', async (name) => {
  const project = path.join(temporaryFolder(), 'demo');
  cpSync(path.join(root, 'demo'), project, { recursive: true });
  const client = new Client({ name: 'test', version: '1' });
  const args = [path.join(root, 'dist/bin.js'), 'mcp', '--surface', name, '--workspace', project];
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  const listed = (await client.listTools()).tools.map((tool) => tool.name);
  const asked = questions[name]?.((file) => pathToFileURL(path.join(project, file)).href) ?? [];
  expect(asked).toHaveLength(2);
  for (const [tool, input, part] of asked) {
    expect(listed).toContain(tool);
    const { content, isError, structuredContent } = await client.callTool({
      name: tool,
      arguments: { ...input },
    });
    expect(JSON.stringify(content)).toContain(JSON.stringify(part).slice(1, -1));
    expect(isError ?? false).toBe(false);
    // The data of this surface stands beside a short text.
    if (name === 'gateway') expect(structuredContent).toMatchObject({ complete: true });
  }
});
