import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { openTestBridge, temporaryFolder } from '../test-bridge.ts';
import { writeFiles } from '../workspace/sandbox.ts';

/** A bridge over these files with one real server; `<root>` in PATH means the folder of the project. */
async function open(server: string, files: Readonly<Record<string, string>>, searched = '') {
  const root = temporaryFolder('lspan-project-');
  writeFiles(root, files);
  const node = path.dirname(process.execPath);
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    environment: {
      HOME: temporaryFolder('lspan-home-'),
      PATH: `${searched.replaceAll('<root>', root)}${path.delimiter}${node}`,
    },
    overrides: { ...patient, disabledServers: servers.map(({ id }) => id).filter((id) => id !== server) },
  });
  onTestFinished(() => bridge.close());
  return { root, ...bridge };
}

it('Bash: each of several scripts in the first call is spoken about, and that nobody checks them is told', async () => {
  const files = { 'a.sh': 'echo a\n', 'b.sh': 'echo b\n', 'c.sh': 'echo c\n' };
  const bridge = await open('bash-language-server', files);
  const { data } = await bridge.call('get_diagnostics', { file_paths: Object.keys(files) });
  expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'server_unavailable' }] });
});

it('Bash: a shellcheck, a man page reader or a command of the repository is not run', async () => {
  const canary = '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n';
  const programs = ['shellcheck', 'man', 'bash', 'tool'].map((name) => [`bin/${name}`, canary]);
  const text = '#!/bin/sh\ntool --help\nprintf x\n./bin/tool\n';
  const bridge = await open(
    'bash-language-server',
    { ...Object.fromEntries(programs), 'a.sh': text },
    '<root>/bin',
  );
  for (const [file = ''] of programs) chmodSync(path.join(bridge.root, file), 0o755);
  await bridge.call('get_diagnostics', { file_path: 'a.sh' });
  for (const line of [2, 3, 4]) await bridge.call('get_hover', { file_path: 'a.sh', line, character: 3 });
  expect(existsSync(path.join(bridge.root, 'bin/ran'))).toBe(false);
});

it.each([
  ['vscode-json-language-server', 'a.json', (uri: string) => `{ "$schema": "${uri}", "a": 1 }\n`],
  ['yaml-language-server', 'a.yaml', (uri: string) => `# yaml-language-server: $schema=${uri}\na: 1\n`],
])('%s fetches no schema that a file names', async (server, file, text) => {
  let fetched = 0;
  const listener = createServer((_request, response) => {
    fetched += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void listener.close());
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const bridge = await open(server, { [file]: text(`http://127.0.0.1:${port}/schema.json`) });
  const { text: told } = await bridge.call('get_diagnostics', { file_path: file });
  expect(told).toContain('Unable to load schema');
  expect(fetched).toBe(0);
});

it('SCSS is answered by the Sass server alone where both are installed, and CSS still by the other', async () => {
  const both = ['some-sass-language-server', 'vscode-css-language-server'];
  const root = temporaryFolder('lspan-project-');
  writeFiles(root, { 'a.scss': '.a { width: ; }\n', 'b.css': '.b { width: ; }\n' });
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => !both.includes(id)),
    },
  });
  onTestFinished(() => bridge.close());
  const { data } = await bridge.call('get_diagnostics', { file_paths: ['a.scss', 'b.css'] });
  expect(data).toMatchObject({
    complete: true,
    diagnostics: [
      { file_path: 'a.scss', source: 'scss' },
      { file_path: 'b.css', source: 'css' },
    ],
  });
  const status = await bridge.call('get_server_status', {});
  expect(status.text).not.toContain('standby');
});

it('a server that would need trust and is not there is told as not installed', async () => {
  const bridge = await open('jdtls', { 'A.java': 'class A {}\n' });
  const outcome = await bridge.call('get_document_symbols', { file_path: 'A.java' });
  expect(outcome).toMatchObject({ isError: true, data: { error: { code: 'not_installed' } } });
});

it('problems of a server that checks each file alone stay fresh when another file changes', async () => {
  const lives = [{ diagnostics: 'push_unversioned' } as const];
  const bridge = await openTestBridge({ servers: { taplo: { lives } } });
  const before = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  bridge.write('b.txt', 'function gamma\n');
  const after = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  expect(after.data).toEqual(before.data);
  expect(after.data).toMatchObject({ complete: true });
});

it('problems that a server publishes before it has read the project, or in order to clear, are not believed', async () => {
  const uri = 'file://<root>/a.txt';
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const publish = (params: object) => ({
    notify: { method: 'textDocument/publishDiagnostics', params: { uri, diagnostics: [], ...params } },
  });
  const progress = (value: object) => ({ notify: { method: '$/progress', params: { token: 1, value } } });
  const opened = [
    publish({}),
    progress({ kind: 'end' }),
    publish({ isClear: true }),
    { delayMs: 400 },
    publish({ diagnostics: [{ range, message: 'late' }] }),
  ];
  const rules = [
    { on: { method: 'initialized' }, do: [progress({ kind: 'begin', title: 'Intelephense indexing' })] },
    { on: { method: 'textDocument/didOpen' }, do: opened },
  ];
  const lives = [{ diagnostics: 'none', rules } as const];
  const environment = { XDG_CACHE_HOME: temporaryFolder('lspan-cache-') };
  const bridge = await openTestBridge({ servers: { intelephense: { lives } }, environment });
  const { data } = await bridge.call('get_diagnostics', { file_path: 'a.txt' });
  expect(data).toMatchObject({ complete: true, diagnostics: [{ message: 'late' }] });
});
