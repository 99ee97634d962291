import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { executableFault } from '../../../src/platform/files/executable.ts';

describe.skipIf(process.platform !== 'linux')('a file', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'lspan-executable-'));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, content: string | Buffer, mode = 0o755): string {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  }

  it('is executable if it is a binary for this machine, or a script whose interpreter exists', () => {
    expect(executableFault(process.execPath)).toBeUndefined();
    expect(executableFault(write('script', '#!/bin/sh -e\n'))).toBeUndefined();
    expect(executableFault(write('shim', '#! /usr/bin/env node\nconsole.log(1)\n'))).toBeUndefined();
  });

  it('PRC-04 is not executable if it is built for another processor', () => {
    const head = Buffer.alloc(256);
    const node = openSync(process.execPath, 'r');
    readSync(node, head);
    closeSync(node);
    head.writeUInt16LE(0x1234, 18);
    expect(executableFault(write('foreign', head))).toContain('another kind of processor');
  });

  it.each(['a script', 'gone'])(
    'is executable for any processor if the program that runs lspan is %s, since our own processor is then unknown',
    (name) => {
      const ran = process.execPath;
      onTestFinished(() => {
        process.execPath = ran;
      });
      write('a script', '#!/bin/sh\n# Starts a Node under another name.\n');
      process.execPath = path.join(folder, name);
      expect(executableFault(ran)).toBeUndefined();
    },
  );

  it.each([
    ['a text', 'echo hello\n', 0o755, 'neither a program nor a script'],
    ['empty', '', 0o755, 'neither a program nor a script'],
    ['a script without an interpreter', '#!\n', 0o755, 'has no absolute path of an interpreter'],
    ['a script for a relative interpreter', '#!sh\n', 0o755, 'has no absolute path of an interpreter'],
    [
      'a script whose interpreter is missing',
      '#!/opt/none/bin/python4\n',
      0o755,
      'for python4, which is not at',
    ],
    ['not executable', '#!/bin/sh\n', 0o644, 'may not be read and executed'],
  ])('PRC-04 is not executable if it is %s', (_, content, mode, fault) => {
    expect(executableFault(write('file', content, mode))).toContain(fault);
  });

  it('PRC-04 is not executable if it is missing, a folder, or a link to itself', () => {
    symlinkSync('loop', path.join(folder, 'loop'));
    expect(executableFault(path.join(folder, 'none'))).toBe('does not exist');
    expect(executableFault(folder)).toBe('is not a file');
    expect(executableFault(path.join(folder, 'loop'))).toBe('is a link that leads to itself');
  });
});
