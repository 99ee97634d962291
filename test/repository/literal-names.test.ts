import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openBuilt } from '../evil-repo/built-lspan.ts';
import { expectError, openTestBridge, temporaryFolder } from '../test-bridge.ts';
import { writeFiles } from '../workspace/sandbox.ts';

/** Names that a shell, or a program's own reading of its arguments, would take for something else. */
const names = [
  ...['-rf', '--init-file=x', '--', '-', 'two words', "it's", '"quoted"', '$(touch ran)', '`touch ran`'],
  ...[
    'a;touch ran',
    'a|touch ran',
    'a&touch ran',
    'a\ntouch ran',
    '$HOME',
    '~',
    '*',
    '{a,b}',
    '!!',
    '%PATH%',
  ],
  ...['a>ran', '#', '\\', '\u001b[31mred', '\u202egnp.txt', "'; touch ran; '"],
];

it('SUP-08 a file with such a name is that file and nothing else', async () => {
  const files = Object.fromEntries(
    names.map((name, n) => [`${name}.txt`, `function alpha${n}\nalpha${n}\n`]),
  );
  const bridge = await openTestBridge({ files });
  const before = readdirSync(bridge.root);
  for (const name of names) {
    const asked = { file_path: `${name}.txt`, line: 2, character: 1 };
    const { data } = await bridge.call('find_definition', asked);
    expect(data, name).toMatchObject({ total: 1, definitions: [{ line: 1, character: 10 }] });
  }
  const opened = bridge.received().filter(({ method }) => method === 'textDocument/didOpen');
  const paths = opened.map(({ params }) => fileURLToPath(uriOf(params)));
  expect(paths).toEqual(names.map((name) => path.join(bridge.root, `${name}.txt`)));
  expect(readdirSync(bridge.root)).toEqual(before);
});

it('SUP-08 a symbol with such a name is looked for as it is', async () => {
  const bridge = await openTestBridge();
  const before = readdirSync(bridge.root);
  for (const name of names) {
    expectError(await bridge.call('find_definition', { file_path: 'a.txt', symbol_name: name }), 'not_found');
    await bridge.call('search_workspace_symbols', { query: name });
  }
  const asked = bridge.received().filter(({ method }) => method === 'workspace/symbol');
  // An empty answer is asked for again; a star alone is refused, as no pattern.
  expect(new Set(asked.map(({ params }) => JSON.stringify(params)))).toEqual(
    new Set(names.filter((name) => name !== '*').map((query) => JSON.stringify({ query }))),
  );
  expect(readdirSync(bridge.root)).toEqual(before);
});

it('SUP-08 the words of a configured server reach it as they are', async () => {
  const folder = temporaryFolder('lspan-words-');
  const program = path.join(folder, 'a program $(x);');
  const noted = path.join(folder, 'noted');
  writeFileSync(
    program,
    `#!${process.execPath}\nrequire('fs').writeFileSync(${JSON.stringify(noted)}, JSON.stringify({ words: process.argv.slice(2), value: process.env.ODD }));\n`,
    { mode: 0o755 },
  );
  const command = [program, ...names];
  const odd = names.join(' ');
  const bridge = await openTestBridge({ servers: { odd: { command, env: { ODD: odd } } } });
  expectError(
    await bridge.call('get_hover', { file_path: 'a.txt', line: 1, character: 1 }),
    'server_crashed',
  );
  expect(JSON.parse(readFileSync(noted, 'utf8'))).toEqual({ words: names, value: odd });
  expect(existsSync(path.join(bridge.root, 'ran'))).toBe(false);
});

it('INF-11 SUP-08 a workspace, a file and a symbol with hostile names forge no line of the log', async () => {
  const root = path.join(temporaryFolder('lspan-names-'), '-rf $(x)\n{"level":"error"}\u001b[31m');
  writeFiles(root, { '-rf\n{"event":"forged"}.ts': 'export const a = 1;\n' });
  const lspan = await openBuilt({ root, flags: ['--log-format', 'json'] });
  onTestFinished(() => lspan.close());
  for (const [tool, input] of [
    ['get_document_symbols', { file_path: '-rf\n{"event":"forged"}.ts' }],
    ['find_definition', { symbol_name: '\n{"event":"forged"}\u001b[31m' }],
    ['get_hover', { file_path: '../\n{"event":"forged"}' }],
  ] as const)
    await lspan.call(tool, input);
  await lspan.close();
  const lines = lspan.log().trimEnd().split('\n');
  for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]+$/);
  const told = lines.map((line) => JSON.parse(line));
  expect(told).toContainEqual(
    expect.objectContaining({ event: 'workspace', fields: { roots: [root], why: '--workspace' } }),
  );
  const events = told.map(({ event }) => event);
  expect(events).toContain('mcp.leaving');
  expect(events).not.toContain('forged');
});

function uriOf(params: unknown): string {
  const { textDocument }: { textDocument?: { uri?: string } } = JSON.parse(JSON.stringify(params));
  return textDocument?.uri ?? '';
}
