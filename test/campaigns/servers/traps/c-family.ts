import type { ServerTrap } from '../trap.ts';

const families = ['c'] as const;
const commands = (root: string, words: readonly string[], compiler = 'cc') =>
  JSON.stringify([{ directory: root, file: 'a.c', arguments: [compiler, ...words, '-c', 'a.c'] }]);

/** Options of a compiler that write, load or run something, each by itself. */
const options: Readonly<Record<string, (outside: string, root: string) => readonly string[]>> = {
  'serialized-diagnostics': (outside) => ['-fmodules', '--serialize-diagnostics', `${outside}/log`],
  'modules-cache': (outside) => ['-fmodules', `-fmodules-cache-path=${outside}/modules`],
  plugin: (_outside, root) => [`-fplugin=${root}/evil.so`],
  'loaded-plugin': (_outside, root) => [
    '-Xclang',
    '-load',
    '-Xclang',
    `${root}/evil.so`,
    '-Xclang',
    '-add-plugin',
    '-Xclang',
    'evil',
  ],
  'pass-plugin': (_outside, root) => [`-fpass-plugin=${root}/evil.so`],
  'dependency-file': (outside) => ['-MD', '-MF', `${outside}/dependencies`, '-MJ', `${outside}/fragment`],
  'time-trace': (outside) => ['-ftime-trace', `-ftime-trace=${outside}/trace.json`],
  'saved-temporaries': (outside) => ['-save-temps=obj', '-o', `${outside}/object.o`],
  'index-store': (outside) => ['-index-store-path', `${outside}/store`],
  'diagnostic-log': (outside) => ['-Xclang', '-diagnostic-log-file', '-Xclang', `${outside}/log`],
  'precompiled-header': (outside) => [
    '-include-pch',
    `${outside}/pch`,
    '-Xclang',
    '-emit-pch',
    '-o',
    `${outside}/pch`,
  ],
  'optimization-record': (outside) => [
    '-fsave-optimization-record',
    `-foptimization-record-file=${outside}/record`,
  ],
  'tool-folder': (_outside, root) => [`-B${root}/driver`, '-fuse-ld=evil', '-no-integrated-as'],
  'response-file': () => ['@evil.rsp'],
  'crash-folder': (outside) => [`-fcrash-diagnostics-dir=${outside}`, '-gen-reproducer'],
  'overlay-of-files': (outside) => [
    '-ivfsoverlay',
    `${outside}/overlay.yaml`,
    `-fprofile-use=${outside}/profile`,
  ],
  'target-from-the-driver': (_outside, root) => [
    `--gcc-toolchain=${root}`,
    `--sysroot=${root}`,
    `-resource-dir=${root}`,
  ],
};

/** What clangd and ccls read of a repository. */
export const cTraps: readonly ServerTrap[] = [
  ...Object.entries(options).map(([name, words]) => ({
    name: `database-${name}`,
    families,
    libraries: ['evil.so'],
    files: ({
      outside,
      root,
      shell,
    }: {
      readonly outside: string;
      readonly root: string;
      readonly shell: string;
    }) => ({
      'compile_commands.json': commands(root, words(outside, root)),
      'evil.rsp': `-fmodules --serialize-diagnostics ${outside}/log\n`,
      'driver/ld.evil': shell,
      'driver/as': shell,
    }),
  })),
  {
    name: 'database-driver',
    families,
    files: ({ root, shell }) => ({
      'compile_commands.json': commands(root, [], `${root}/driver/clang`),
      'driver/clang': shell,
      'driver/gcc': shell,
    }),
  },
  {
    name: 'database-wrapper',
    families,
    files: ({ root, shell, command }) => ({
      'compile_commands.json': JSON.stringify([
        { directory: root, file: 'a.c', command: `./ccache cc -c a.c; ${command}; $(${command})` },
      ]),
      ccache: shell,
    }),
  },
  {
    name: 'database-in-a-build-folder',
    families,
    files: ({ root, outside }) => ({
      'build/compile_commands.json': commands(root, [
        '-fmodules',
        '--serialize-diagnostics',
        `${outside}/log`,
      ]),
    }),
  },
  {
    name: 'database-of-files-of-the-user',
    families,
    outside: { 'mine.c': 'int mine(void) { return 1; }\n' },
    files: ({ root, outside }) => ({
      'compile_commands.json': JSON.stringify([
        { directory: outside, file: `${outside}/mine.c`, arguments: ['cc', '-c', 'mine.c'] },
        { directory: root, file: 'a.c', arguments: ['cc', '-c', 'a.c'] },
      ]),
    }),
  },
  {
    name: 'flags-file',
    families,
    libraries: ['evil.so'],
    files: ({ root, outside }) => ({
      'compile_flags.txt': `-fplugin=${root}/evil.so\n-fmodules\n--serialize-diagnostics\n${outside}/log\n`,
    }),
  },
  {
    name: 'clangd-flags',
    families,
    libraries: ['evil.so'],
    files: ({ root, outside, shell }) => ({
      '.clangd': `CompileFlags:\n  Compiler: ${root}/clang\n  Add: [-fplugin=${root}/evil.so, -fmodules, --serialize-diagnostics, ${outside}/log]\n  BuiltinHeaders: QueryDriver\n`,
      clang: shell,
    }),
  },
  {
    name: 'clangd-remote-index',
    families,
    files: ({ url }) => ({
      '.clangd': `Index:\n  External:\n    Server: ${new URL(url).host}\n    MountPoint: /\n  Background: Build\n`,
    }),
  },
  {
    name: 'clangd-index-file',
    families,
    outside: { 'mine.idx': 'mine\n' },
    files: ({ outside }) => ({
      '.clangd': `Index:\n  External:\n    File: ${outside}/mine.idx\n    MountPoint: /\n`,
    }),
  },
  {
    name: 'clang-tidy',
    families,
    libraries: ['evil.so'],
    files: ({ root, outside }) => ({
      '.clang-tidy': `Checks: '*'\nExtraArgs: [-fplugin=${root}/evil.so, -fmodules, --serialize-diagnostics, ${outside}/log]\nInheritParentConfig: true\n`,
    }),
  },
  {
    name: 'clang-format',
    families,
    files: ({ outside }) => ({
      '.clang-format': `BasedOnStyle: file:${outside}/style\n---\nLanguage: Cpp\n`,
    }),
  },
  {
    name: 'ccls-flags',
    families,
    libraries: ['evil.so'],
    files: ({ root, outside, shell }) => ({
      '.ccls': `${root}/clang\n%c -fplugin=${root}/evil.so\n-fmodules\n--serialize-diagnostics\n${outside}/log\n`,
      '.ccls-root': '',
      clang: shell,
    }),
  },
  {
    name: 'include-of-files-of-the-user',
    families,
    outside: { 'mine.h': 'int mine;\n' },
    files: ({ outside }) => ({
      'a.c': `#include "${outside}/mine.h"\nint greet(int a) { return a; }\nint hello(void) { return greet(mine); }\n`,
    }),
  },
  {
    name: 'include-of-a-pipe',
    families,
    pipes: ['pipe.h'],
    files: () => ({
      'a.c': '#include "pipe.h"\nint greet(int a) { return a; }\nint hello(void) { return greet(1); }\n',
    }),
  },
  {
    name: 'pragmas',
    families,
    files: ({ outside }) => ({
      'a.c': `#pragma comment(lib, "${outside}/x")\n#pragma clang module build evil\n#pragma clang __debug dump a\nint greet(int a) { return a; }\nint hello(void) { return greet(1); }\n`,
    }),
  },
  {
    name: 'module-map',
    families,
    files: ({ outside, root }) => ({
      'module.modulemap': `module evil { header "a.h" export * }\nextern module other "${outside}/module.modulemap"\n`,
      'a.h': 'int h;\n',
      'compile_commands.json': commands(root, ['-fmodules', '-fimplicit-module-maps', '-I.']),
      'a.c': '#include "a.h"\nint greet(int a) { return a; }\nint hello(void) { return greet(h); }\n',
    }),
  },
  {
    name: 'build-systems',
    families,
    files: ({ root, shell, command }) => ({
      'CMakeLists.txt': `project(x)\nexecute_process(COMMAND ${root}/configure)\n`,
      Makefile: `$(shell ${command})\nall:\n\t${command}\n`,
      'meson.build': `project('x', 'c')\nrun_command('${root}/configure')\n`,
      configure: shell,
      '.bazelrc': `build --workspace_status_command=${root}/configure\n`,
    }),
  },
];
