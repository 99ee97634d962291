import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PathMapping } from '../../src/backends/lsp/protocol/path-mapping.ts';
import { inSandbox, unconfinable } from '../confined.ts';
import { missingPrograms } from '../missing-programs.ts';
import { openTestBridge, type TestBridge, type TestServer } from '../test-bridge.ts';

const modules = path.resolve(import.meta.dirname, '../../node_modules');
const clangd = ['/usr/bin/clangd-19', '/usr/bin/clangd'].find((file) => existsSync(file)) ?? 'clangd';
/** Where the server has the project. Its place here is hidden from it. */
const far = '/mnt/work space';

/** Where programs are found; these folders may be in that of temporary files. */
const programs = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((folder) => folder.startsWith('/tmp/') && existsSync(folder));

/** A boundary like that of a container: the project is at another path, and its path here leads nowhere. */
const boundary = [
  ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'],
  ...['--tmpfs', '/tmp', '--tmpfs', '/mnt', '--bind', '<root>', far, '--chdir', far, '--die-with-parent'],
  // They may be in the folder of temporary files too.
  ...[modules, ...programs].flatMap((folder) => ['--ro-bind', folder, folder]),
];

interface Case {
  readonly id: string;
  readonly command: readonly string[];
  readonly extensions: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What names the folder as the server has it. */
  readonly placed?: (folder: string) => Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  {
    id: 'pyright',
    command: [process.execPath, path.join(modules, 'pyright/langserver.index.js'), '--stdio'],
    extensions: ['py'],
    files: {
      'pack age/one.py':
        '"""Text that names /mnt/work space/two.py."""\ndef alpha(x: int) -> int:\n    return x\n',
      'two.py': 'import os\nfrom one import alpha\nprint(alpha("one"), os.getcwd())\n',
      'pyrightconfig.json': '{ "extraPaths": ["pack age"] }\n',
    },
  },
  {
    id: 'clangd',
    command: [clangd],
    extensions: ['c', 'h'],
    files: {
      'one.h': '/** See /mnt/work space/two.c. */\nint alpha(int x);\n',
      'one.c': '#include "one.h"\nint alpha(int x) { return x; }\n',
      'two.c':
        '#include "one.h"\n#include <stddef.h>\nint main(void) { size_t n = 0; return alpha("one") + (int)n; }\n',
    },
    placed: (directory) => ({
      'compile_commands.json': JSON.stringify(
        ['one.c', 'two.c'].map((file) => ({ directory, file, arguments: ['cc', '-c', file] })),
      ),
    }),
  },
];

const questions = [
  ['find_references', { symbol_name: 'alpha' }],
  ['get_hover', { symbol_name: 'alpha' }],
  ['get_diagnostics', {}],
  ['rename_symbol', { symbol_name: 'alpha', new_name: 'gamma', check: false }],
] as const;

describe.skipIf(unconfinable !== '')(inSandbox('a server behind another mount path'), () => {
  for (const { id, files, placed, ...server } of cases) {
    const missing = missingPrograms(id);
    it.skipIf(missing !== '')(
      `VIA-10 ${id} answers as it does here${missing === '' ? '' : ` (skipped: ${missing})`}`,
      async () => {
        const open = async (more: Partial<TestServer>, folder?: string) => {
          const names = Object.keys(files);
          const [first] = names;
          const wrong = names.find((name) => name.startsWith('two.'));
          const bridge = await openTestBridge({ files, servers: { [id]: { ...server, ...more } } });
          for (const [name, text] of Object.entries(placed?.(folder ?? bridge.root) ?? {}))
            bridge.write(name, text);
          const answers: string[] = [];
          for (const [tool, input] of questions) {
            const file_path = tool === 'get_diagnostics' ? wrong : first;
            const text = await wholeAnswer(() => bridge.call(tool, { file_path, ...input }));
            answers.push(text.replaceAll(/^since: .*$/gm, '').replaceAll(/plan_id "[^"]*"/g, 'plan_id'));
          }
          return { bridge, answers };
        };
        const here = await open({});
        const there = await open({ via: boundary, paths: { '<root>': far } }, far);
        expect(there.answers).toEqual(here.answers);
        expect(there.answers.join('\n')).toContain('gamma');
        expect(there.answers.join('\n')).toContain('/mnt/work space/two.');
        const mapping = new PathMapping([{ near: there.bridge.root, far }]);
        for (const { message, direction } of there.bridge.traced.all) {
          expect(JSON.stringify(message)).not.toContain(there.bridge.root);
          if (direction === 'from_server')
            expect(mapping.toFar(mapping.toNear(message, undefined), undefined)).toEqual(message);
        }
      },
    );
  }
});

/** Asks until the answer is whole: on a busy machine a server may not be ready in time. */
async function wholeAnswer(ask: () => ReturnType<TestBridge['call']>): Promise<string> {
  for (;;) {
    const { text, data } = await ask();
    if (data.complete !== false) return text;
  }
}
