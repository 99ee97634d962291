import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../src/backends/lsp/process/find-program.ts';
import { isWhole } from '../../src/backends/lsp/process/search-path.ts';
import { executableFault, programFiles } from '../../src/platform/files/executable.ts';
import { openTestBridge, temporaryFolder } from '../test-bridge.ts';

describe('SUP-06 a program', () => {
  it('is looked for on Windows only in folders that are named whole, so never in the current one', () => {
    const whole = ['C:\\tools', 'c:/tools', '\\\\server\\share\\bin'];
    const others = ['', '.', '..', 'tools', '\\tools', '/tools', 'C:', 'C:tools', '\\\\', '%CD%', '~\\bin'];
    expect(whole.filter((entry) => !isWhole(entry, 'win32'))).toEqual([]);
    expect(others.filter((entry) => isWhole(entry, 'win32'))).toEqual([]);
    expect(
      ['', '.', 'bin', './bin', '~/bin', 'C:\\tools'].filter((entry) => isWhole(entry, 'linux')),
    ).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')(
    'of the user’s own folders, as ~/.dotnet/tools, raises no alarm',
    () => {
      const home = temporaryFolder('lspan-home-');
      const folder = path.join(home, '.dotnet/tools');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'csharp-ls'), '#!/bin/sh\n', { mode: 0o755 });
      for (const mode of [0o700, 0o750, 0o755, 0o775]) {
        chmodSync(folder, mode);
        const search = {
          server: 'csharp',
          install: '',
          roots: [path.join(home, 'work')],
          environment: { PATH: folder },
        };
        const found = findProgram([{ kind: 'path', name: 'csharp-ls' }], search);
        expect(found).toMatchObject({ file: path.join(folder, 'csharp-ls'), origin: 'PATH' });
      }
    },
  );

  it('is shown by the status with its whole path, and where it came from', async () => {
    const bridge = await openTestBridge();
    const { data } = await bridge.call('get_server_status', {});
    expect(data.servers).toMatchObject([
      { command: expect.stringMatching(/^\//), origin: 'configured command' },
    ]);
  });
});

describe('SUP-07 no shell', () => {
  it.each(['server.cmd', 'server.BAT', 'server.Cmd', 'server.bat.', 'server.cmd  ', 'C:\\x\\npm.cmd. .'])(
    'would be needed on Windows: %j is refused before it is looked at',
    (file) => {
      expect(executableFault(file, 'win32')).toContain('batch file');
    },
  );

  it('is looked for on Windows: only what the system itself can run', () => {
    expect(programFiles('npm', 'win32')).toEqual(['npm.exe', 'npm.com']);
    expect(programFiles('evil.cmd', 'win32')).toEqual(['evil.cmd.exe', 'evil.cmd.com']);
    expect(programFiles('npm', 'linux')).toEqual(['npm']);
  });

  it('is asked for where processes are started: by their words, and the one script is fixed', () => {
    const folder = path.resolve(import.meta.dirname, '../../src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')] as const);
    const starting = sources.filter(([, text]) => /import \{[^}]*\} from 'node:child_process'/.test(text));
    expect(starting.length).toBeGreaterThan(0);
    for (const [file, text] of starting) {
      expect(text, file).not.toMatch(/import \{[^}]*\b(exec|execSync|fork)\b|\bshell: (true|['"`])/);
      // What goes to a shell as its script is a constant: values come after it, as words.
      for (const [, script] of text.matchAll(/'-c', ([^,\]]+)/g)) expect(script, file).toMatch(/^\w+$/);
    }
  });
});
