import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { limits } from '../../src/core/limits.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** One file a language, each with one problem or one definition to ask for. */
const files = {
  'tsconfig.json': '{}',
  'app.ts': 'export const port = 1;\nport;\n',
  'run.py': 'port = 1\nprint(port)\n',
  'build.sh': 'port() {\n  echo 1\n}\nport\n',
  'ci.yml': 'base: &port 1\njob: *port\n',
  'style.css': ':root { --port: red; }\na { color: var(--port); }\n',
};

/** Where each name is used, and where it is defined. */
const questions = [
  { file_path: 'app.ts', line: 2, character: 1, defined: 1 },
  { file_path: 'run.py', line: 2, character: 7, defined: 1 },
  { file_path: 'build.sh', line: 4, character: 1, defined: 1 },
  { file_path: 'ci.yml', line: 2, character: 7, defined: 1 },
  { file_path: 'style.css', line: 2, character: 16, defined: 1 },
];

const asked = [
  'typescript',
  'pyright',
  'bash-language-server',
  'yaml-language-server',
  'vscode-css-language-server',
];

async function open(running: number): Promise<Bridge> {
  const root = realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => !asked.includes(id)),
      limits: { ...patient.limits, running },
    },
  });
  onTestFinished(() => bridge.close());
  return bridge;
}

const status = z.object({ servers: z.array(z.object({ state: z.string() })) });

async function runningIn(bridge: Bridge): Promise<number> {
  const { data } = await bridge.call('get_server_status', {});
  return status.parse(data).servers.filter(({ state }) => state === 'ready' || state === 'indexing').length;
}

for (const running of [2, limits.servers.running]) {
  it(`five languages are answered one after the other with at most ${running} servers running`, async () => {
    const bridge = await open(running);
    for (const { defined, ...place } of [...questions, ...questions]) {
      const { data } = await bridge.call('find_definition', place);
      expect(data).toMatchObject({ definitions: [{ file_path: place.file_path, line: defined }] });
      expect(await runningIn(bridge)).toBeLessThanOrEqual(running);
    }
    expect(await runningIn(bridge)).toBe(Math.min(running, asked.length));
  }, 240_000);
}
