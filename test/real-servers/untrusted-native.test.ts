import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

const patience = { timeout: 180_000 };

it.skipIf(missingPrograms('rust-analyzer') !== '')(
  onServer(
    'rust-analyzer',
    'SUP-01 without a Cargo.toml, rust-analyzer runs no compiler that a rust-project.json names',
  ),
  patience,
  async () => {
    const project = JSON.stringify({
      sysroot: 'evil',
      crates: [{ root_module: 'src/lib.rs', edition: '2021', deps: [] }],
    });
    const { call, canary } = await open('rust-analyzer', {
      'rust-project.json': project,
      '.rust-project.json': project,
      'evil/bin/rustc': '#!/bin/sh\necho "$0" >> <canary>\nexit 1\n',
      'evil/bin/cargo': '#!/bin/sh\necho "$0" >> <canary>\nexit 1\n',
      'src/lib.rs': 'pub fn greet() -> u32 { 1 }\npub fn hello() -> u32 { greet() }\n',
    });
    const { data } = await call('find_references', { file_path: 'src/lib.rs', symbol_name: 'greet' });
    expect(JSON.stringify(data)).toContain('No Cargo.toml was found');
    expect(existsSync(canary)).toBe(false);
  },
);

it.skipIf(missingPrograms('fortls') !== '')(
  onServer('fortls', 'SUP-01 fortls evaluates no condition of a file, whatever its configuration says'),
  patience,
  async () => {
    const code = "__import__('pathlib').Path('<canary>').write_text('run')";
    const { call, canary } = await open('fortls', {
      '.fortlsrc': '{ "pp_suffixes": [".f90", ".F90"] }',
      'evil.F90': `#define X ${code}\n#if X\n#endif\n#if ${code}\n#endif\nmodule greet\nend module greet\n`,
      'main.f90': 'program main\n  use greet\nend program main\n',
    });
    const { data } = await call('find_definition', { file_path: 'main.f90', line: 2, character: 7 });
    expect(data).toMatchObject({ definitions: [{ file_path: 'evil.F90', line: 6 }] });
    expect(existsSync(canary)).toBe(false);
  },
);

/** Opens a bridge over these files with only this server. */
async function open(
  server: string,
  files: Readonly<Record<string, string>>,
  more: { readonly deadline?: number } = {},
) {
  const root = realpathSync(temporaryFolder());
  const state = realpathSync(temporaryFolder());
  const canary = path.join(state, 'canary');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('<canary>', canary));
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    environment: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: state },
    overrides: {
      ...patient,
      ...more,
      disabledServers: servers.map(({ id }) => id).filter((id) => id !== server),
    },
  });
  onTestFinished(() => bridge.close());
  return { canary, root, call: (tool: string, input: object) => bridge.call(tool, input) };
}

it.skipIf(missingPrograms('pylsp') !== '')(
  onServer('pylsp', 'PRC-06 a pipe that is named like a module holds pylsp up only until it is replaced'),
  patience,
  async () => {
    const { call, root } = await open(
      'pylsp',
      { 'a.py': 'import pipe\n\ndef greet():\n    return pipe.x\n', 'b.py': 'def hello():\n    return 1\n' },
      { deadline: 6_000 },
    );
    execFileSync('mkfifo', [path.join(root, 'pipe.py')]);
    const status = async () => (await call('get_server_status', {})).data;
    const stuck = { file_path: 'b.py', symbol_name: 'hello' };
    for (let asked = 0; asked < 3; asked += 1) await call('find_references', stuck);
    await expect
      .poll(status, { interval: 500, timeout: 60_000 })
      .not.toMatchObject({ servers: [{ state: 'ready' }] });
    const { data } = await call('get_document_symbols', { file_path: 'b.py' });
    expect(data).toMatchObject({ symbols: [{ name: 'hello' }] });
  },
);
