import { describe, expect, it } from 'vitest';
import { inSandbox, unconfinable } from '../confined.ts';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { openOutside, type Trap } from './outside-repository.ts';

/** What only a sandbox hides: a value that comes from a file outside, which no answer names as its place. */
const traps: Readonly<Record<string, Omit<Trap, 'told'> & { readonly line: number; readonly word: string }>> =
  {
    'a constant of a header': {
      server: 'clangd',
      asked: 'a.c',
      files: { 'a.c': '#include "<outside>/p.h"\nenum { copy = SECRET };\n' },
      outside: { 'p.h': '#define SECRET 80486424\n' },
      ...{ line: 2, word: 'copy' },
    },
    'a module behind a link (pylsp)': {
      server: 'pylsp',
      asked: 'a.py',
      files: { 'a.py': 'import secret\nsecret.shown()\n' },
      outside: { 'secret.py': 'def shown():\n    "canary"\n' },
      links: { 'secret.py': 'secret.py' },
      ...{ line: 2, word: 'shown' },
    },
    'a module outside (deno)': {
      server: 'deno',
      asked: 'a.ts',
      files: { 'deno.json': '{}', 'a.ts': 'import { shown } from "<outside>/secret.ts";\nshown();\n' },
      outside: { 'secret.ts': '/** canary */\nexport function shown(): "canary" { return "canary"; }\n' },
      ...{ line: 2, word: 'shown' },
    },
  };

/** What stands only in files outside. */
const canary = /canary|80486424/;

describe.each(Object.entries(traps))(
  'INF-14 in a sandbox, what is outside is not shown by %s',
  (_name, trap) => {
    const { server, asked, files, line, word } = trap;
    const title = inSandbox(onServer(server, 'that a repository has'));
    const isMissing = unconfinable !== '' || missingPrograms(server) !== '';

    it.skipIf(isMissing)(title, { timeout: 180_000 }, async () => {
      const shown = (files[asked] ?? '').split('\n')[line - 1] ?? '';
      const place = { file_path: asked, line, character: shown.indexOf(word) + 1 };
      const answersOf = async (confine: 'always' | 'never') => {
        const bridge = await openOutside({ ...trap, confine });
        const tools = [
          'get_hover',
          'find_definition',
          'get_completions',
          'get_signature_help',
          'inspect_symbol',
        ];
        const answers = [
          ...(await Promise.all(tools.map((tool) => bridge.call(tool, place)))),
          await bridge.call('get_diagnostics', { file_path: asked }),
        ];
        return answers.map(({ text }) => text).join('\n');
      };
      expect(await answersOf('always')).not.toMatch(canary);
      // The trap is one: without the sandbox the server shows it.
      expect(await answersOf('never')).toMatch(canary);
    });
  },
);
