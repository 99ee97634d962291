import { expect, it } from 'vitest';
import { safeCompiler, safeFlags, splitCommand } from '../../src/servers/projects/safe-flags.ts';

it('keeps the options that decide how a text is read, with their values', () => {
  const words = [
    ...[
      '-Iinclude',
      '-I',
      'other',
      '-isystem',
      '/usr/x',
      '-DA=1',
      '-D',
      'B="x y"',
      '-std=c++20',
      '-x',
      'c++',
    ],
    ...[
      '-include',
      'pre.h',
      '-Wall',
      '-Wno-error=x',
      '-fno-exceptions',
      '-fPIC',
      '-march=native',
      '-O2',
      '-g',
    ],
    ...['--target=arm-none-eabi', '--sysroot=/opt/x', '-pthread', '-nostdinc++', '-fvisibility=hidden'],
  ];
  expect(safeFlags(words)).toEqual({ kept: words, leftOut: [] });
});

it.each([
  [['--serialize-diagnostics', '/home/x'], ['--serialize-diagnostics']],
  [
    ['-fmodules', '-fmodules-cache-path=/home/x'],
    ['-fmodules', '-fmodules-cache-path'],
  ],
  [
    ['-fcxx-modules', '-fimplicit-modules'],
    ['-fcxx-modules', '-fimplicit-modules'],
  ],
  [['-Xclang', '-load', '-Xclang', '/x.so'], ['-Xclang']],
  [
    ['-fplugin=/x.so', '-fpass-plugin=/x.so'],
    ['-fplugin', '-fpass-plugin'],
  ],
  [['-mllvm', '-info-output-file=/x'], ['-mllvm']],
  [['@/x/response'], ['@']],
  [['-D', '@/x/response'], ['-D']],
  [
    ['-Wp,-MD,/x', '-ftime-trace=/x', '-fprofile-generate=/x'],
    ['-Wp', '-ftime-trace', '-fprofile-generate'],
  ],
  [['--config=/x', '--config', '/x'], ['--config']],
  [['-fsomething-new=/x'], ['-fsomething-new']],
  [
    ['-ivfsoverlay', '/x', '-include-pch', '/x'],
    ['-ivfsoverlay', '-include-pch'],
  ],
])('leaves out %j, and says so', (words, leftOut) => {
  expect(safeFlags(words)).toEqual({ kept: [], leftOut });
});

it('leaves out what concerns only the output, and other files, without a word', () => {
  const words = [
    '-c',
    '-o',
    'a.o',
    '-MD',
    '-MF',
    'a.d',
    '-MT',
    'a.o',
    'a.c',
    '-lm',
    '-L/usr/lib',
    '--',
    '-x',
  ];
  expect(safeFlags(words)).toEqual({ kept: [], leftOut: [] });
});

it.each([
  [['/usr/bin/c++'], 'c++', []],
  [['arm-none-eabi-gcc-12.2', '-c'], 'arm-none-eabi-gcc-12.2', ['-c']],
  [['ccache', 'g++', '-c'], 'g++', ['-c']],
  [['/repo/evil', '-c'], 'cc', ['-c']],
  [['clang-cl', '/clang:-fmodules'], 'cc', ['/clang:-fmodules']],
])('names the compiler of %j %s', (words, compiler, rest) => {
  expect(safeCompiler(words)).toEqual({ compiler, rest });
});

it('splits a command as a shell does', () => {
  expect(splitCommand(`cc -DA="x y" '-DB=$(z)' -I\\ dir  -D"Q=\\"q\\"" a.c`)).toEqual([
    ...['cc', '-DA=x y', '-DB=$(z)', '-I dir', '-DQ="q"', 'a.c'],
  ]);
  const quotes = '"'.repeat(200_001);
  expect(splitCommand(quotes).length).toBeLessThan(3);
});
