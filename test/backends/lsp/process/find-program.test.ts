import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram, type Program } from '../../../../src/backends/lsp/process/find-program.ts';
import type { ProgramSource } from '../../../../src/servers/definition.ts';
import { typescript } from '../../../../src/servers/typescript.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

let base: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-find-')));
  for (const folder of ['work/bin', 'bin', 'other']) mkdirSync(path.join(base, folder), { recursive: true });
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Writes a program below the base folder. */
function program(name: string, content = '#!/bin/sh\n', mode = 0o755): string {
  const file = path.join(base, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

/** Looks for a program with the workspace `work`, in these PATH entries. */
function find(
  source: ProgramSource,
  entries: readonly string[] = [],
  roots = [path.join(base, 'work')],
): Program {
  const environment = { PATH: entries.join(path.delimiter) };
  return findProgram([source], { server: 'some-server', install: 'Install it.', roots, environment });
}

const inPath = (name: string) => ({ kind: 'path', name }) as const;
const command = (...words: string[]) => ({ kind: 'command', command: words }) as const;
const at = (...names: string[]) => names.map((name) => path.join(base, name));

/** What is thrown when nothing is found. */
const missing = (remark = '') =>
  expect.objectContaining({
    code: 'not_installed',
    nextStep: 'Install it.',
    message: expect.stringContaining(remark),
  });

describe.skipIf(process.platform === 'win32')('a program in PATH', () => {
  it('is the first one in the order of the folders, by its real path', () => {
    const tool = program('other/tool');
    program('bin/tool', '#!/bin/sh\n', 0o644);
    expect(find(inPath('tool'), at('bin', 'other'))).toEqual({
      file: tool,
      real: tool,
      args: [],
      origin: 'PATH',
    });
  });

  it('SUP-06 is never taken from a relative or an empty entry', () => {
    program('bin/tool');
    const relative = path.relative(process.cwd(), path.join(base, 'bin'));
    expect(existsSync(path.join(relative, 'tool'))).toBe(true);
    expect(() => find(inPath('tool'), ['', '.', relative])).toThrow(missing());
  });

  it('SUP-06 is never taken from the workspace, and the error says that it is there', () => {
    program('work/bin/tool');
    expect(() => find(inPath('tool'), at('work/bin'))).toThrow(missing('work/bin: it is in the workspace.'));
  });

  it('SUP-06 is never taken from the workspace through a link, of a folder or of a file', () => {
    symlinkSync(path.dirname(program('work/bin/tool')), path.join(base, 'link'));
    symlinkSync(path.join(base, 'work/bin/tool'), path.join(base, 'other/tool'));
    expect(() => find(inPath('tool'), at('link'))).toThrow(missing('it is in the workspace'));
    expect(() => find(inPath('tool'), at('other'))).toThrow(missing('because it is in the workspace'));
  });

  it('SUP-06 is never taken from where anybody may write', () => {
    program('bin/tool');
    program('other/tool', '#!/bin/sh\n', 0o777);
    chmodSync(path.join(base, 'bin'), 0o777);
    expect(() => find(inPath('tool'), at('bin'))).toThrow(missing('it is world-writable'));
    expect(() => find(inPath('tool'), at('other'))).toThrow(missing('it is world-writable'));
  });

  it('SUP-06 raises no alarm about folders that belong to the user or a group', () => {
    program('bin/tool');
    chmodSync(path.join(base, 'bin'), 0o775);
    expect(find(inPath('tool'), at('bin')).origin).toBe('PATH');
  });

  it('keeps the name that it is called by, and tells where it really is', () => {
    const real = program('other/many-tools');
    symlinkSync(real, path.join(base, 'bin/tool'));
    expect(find(inPath('tool'), at('bin'))).toMatchObject({ file: path.join(base, 'bin/tool'), real });
  });

  it.each([
    ['without permission', '#!/bin/sh\n', 0o644, 'may not be read and executed'],
    ['without a first line', 'echo hello\n', 0o755, 'neither a program nor a script'],
    [
      'without its interpreter',
      '#!/no/such/interpreter -x\n',
      0o755,
      'script for interpreter, which is not at',
    ],
    ['without any bytes', '', 0o755, 'neither a program nor a script'],
  ])('PRC-04 %s is not installed, and the error says why', (_, content, mode, remark) => {
    program('bin/tool', content, mode);
    expect(() => find(inPath('tool'), at('bin'))).toThrow(missing(remark));
  });

  it('PRC-04 that is nowhere is not installed, and the error says how to install it', () => {
    expect(() => find(inPath('tool'), at('bin', 'none'))).toThrow(
      missing('No program for some-server was found.'),
    );
  });
});

describe.skipIf(process.platform === 'win32')('a command of the user', () => {
  it('is looked for in PATH when it is a name, and keeps its arguments', () => {
    const tool = program('bin/tool');
    expect(find(command('tool', '--stdio'), at('bin'))).toMatchObject({ file: tool, args: ['--stdio'] });
  });

  it('is taken as it is when it is an absolute path', () => {
    const tool = program('other/tool');
    expect(find(command(tool, '--stdio'))).toEqual({
      file: tool,
      real: tool,
      args: ['--stdio'],
      origin: 'configured command',
    });
  });

  it('is refused when it lies in the workspace', () => {
    expect(() => find(command(program('work/bin/tool')))).toThrow(missing('it is in the workspace'));
  });

  it('that does not exist is not installed', () => {
    expect(() => find(command(path.join(base, 'none')))).toThrow(missing('none does not exist.'));
  });

  it.each(['', './tool', 'bin/tool', '../tool'])('is refused when it begins with %j', (name) => {
    expect(() => find(command(name))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('a program of a package', () => {
  const script = {
    kind: 'package',
    name: 'typescript-language-server',
    file: 'lib/cli.mjs',
    run: 'node',
  } as const;
  const undeclared = { kind: 'package', name: 'pyright', file: 'langserver.index.js', run: 'node' } as const;
  const folder = (name: string) => path.join(repository, 'node_modules', name);

  it('is found for this machine among the dependencies of another package', () => {
    const search = { server: 'typescript', install: '', roots: [repository], environment: {} };
    const found = findProgram(typescript.program.sources, search);
    expect(found.file).toContain(`typescript-${process.platform}-${process.arch}`);
    expect(found).toMatchObject({ real: found.file, args: [] });
  });

  it('is run by the same Node when it is a script', () => {
    const found = find(script);
    expect(found).toMatchObject({ file: process.execPath, args: [found.real] });
    expect(found.real).toBe(path.join(folder('typescript-language-server'), 'lib/cli.mjs'));
  });

  it('counts as outside although the workspace holds the installation', () => {
    expect(find(script, [], [repository]).file).toBe(process.execPath);
  });

  it('in the workspace counts only when lspan declares it', () => {
    expect(find(script, [], [folder('typescript-language-server')]).file).toBe(process.execPath);
    expect(() => find(undeclared, [], [folder('pyright')])).toThrow(missing());
  });

  it('that lacks its file is not installed, and the error says which', () => {
    expect(() => find({ ...script, file: 'lib/none.js' })).toThrow(missing('none.js does not exist.'));
  });

  it('that is not there gives way to the next source', () => {
    const tool = program('bin/tool');
    const none = { kind: 'package', name: 'no-such-package', file: 'x.js', run: 'node' } as const;
    const search = { server: 's', install: 'i', roots: [], environment: { PATH: path.join(base, 'bin') } };
    expect(findProgram([none, { ...none, via: 'no-such-owner' }, inPath('tool')], search).file).toBe(tool);
  });
});

describe('a script of a package, where lspan is part of a program that is no Node', () => {
  const script: ProgramSource = {
    kind: 'package',
    name: 'typescript-language-server',
    file: 'lib/cli.mjs',
    run: 'node',
  };
  const { execPath } = process;
  beforeEach(() => Object.assign(process, { execPath: program('other/editor') }));
  afterEach(() => Object.assign(process, { execPath }));

  it('is run by the node in PATH, and never by that program once more', () => {
    const node = program('bin/node');
    expect(find(script, at('bin'))).toMatchObject({ file: node, args: [expect.stringContaining('cli.mjs')] });
  });

  it('is not run where there is none, and why is told', () => {
    expect(() => find(script, at('other'))).toThrow(
      /needs Node, which .*editor is not, and there is no node/,
    );
  });
});
