import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import { servers } from '../../src/servers/index.ts';
import { missingPrograms } from '../missing-programs.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

type Files = Readonly<Record<string, string>>;

/** A project in which `total` is used in many files, and where it is declared. */
interface Project {
  readonly servers: readonly string[];
  readonly declared: { readonly file_path: string; readonly line: number; readonly character: number };
  readonly files: Files;
}

const many = Array.from({ length: 60 }, (_, index) => index);
const each = (name: (index: number) => string, text: (index: number) => string): Files =>
  Object.fromEntries(many.map((index) => [name(index), text(index)]));
const padding = (line: (index: number) => string) =>
  Array.from({ length: 200 }, (_, index) => line(index)).join('\n');

const projects: readonly Project[] = [
  {
    servers: ['typescript', 'typescript-language-server', 'vtsls', 'deno'],
    declared: { file_path: 'src/lib.ts', line: 1, character: 17 },
    files: {
      'tsconfig.json': '{ "include": ["src"] }',
      'deno.json': '{}',
      'src/lib.ts': 'export function total(x: number): number { return x; }\n',
      ...each(
        (index) => `src/use${index}.ts`,
        (index) =>
          `import { total } from './lib.ts';\nexport const used${index} = total(${index});\n${padding((at) => `export const more${index}_${at} = [${at}, 'x'];`)}\n`,
      ),
    },
  },
  {
    servers: ['pyright', 'basedpyright', 'pylsp'],
    declared: { file_path: 'lib.py', line: 1, character: 5 },
    files: {
      'lib.py': 'def total(x):\n    return x\n',
      ...each(
        (index) => `use${index}.py`,
        (index) =>
          `from lib import total\n\nused = total(${index})\n${padding((at) => `more${at} = [${at}]`)}\n`,
      ),
    },
  },
  {
    servers: ['gopls'],
    declared: { file_path: 'price/price.go', line: 3, character: 6 },
    files: {
      'go.mod': 'module example.com/shop\n\ngo 1.19\n',
      'price/price.go': 'package price\n\nfunc Total(x int) int { return x }\n',
      ...each(
        (index) => `use${index}/use.go`,
        (index) =>
          `package use${index}\n\nimport (\n\t"example.com/shop/price"\n\t"net/http"\n)\n\nvar Client http.Client\n\nfunc Used() int { return price.Total(${index}) }\n`,
      ),
    },
  },
  {
    servers: ['rust-analyzer'],
    declared: { file_path: 'src/lib.rs', line: 1, character: 8 },
    files: {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': `pub fn total(x: u32) -> u32 { x }\n${many.map((index) => `pub mod use${index};`).join('\n')}\n`,
      ...each(
        (index) => `src/use${index}.rs`,
        (index) =>
          `use std::collections::HashMap;\npub type Map = HashMap<u32, u32>;\npub fn used() -> u32 { crate::total(${index}) }\n`,
      ),
    },
  },
  {
    servers: ['clangd', 'ccls'],
    declared: { file_path: 'total.h', line: 1, character: 5 },
    files: {
      'compile_commands.json': JSON.stringify(
        many.map((index) => ({
          directory: '<root>',
          file: `use${index}.c`,
          arguments: ['cc', '-c', `use${index}.c`],
        })),
      ),
      'total.h': 'int total(int x);\n',
      ...each(
        (index) => `use${index}.c`,
        (index) =>
          `#include <stdio.h>\n#include "total.h"\nint used${index}(void) { return total(${index}); }\n`,
      ),
    },
  },
  {
    servers: ['intelephense'],
    declared: { file_path: 'lib.php', line: 2, character: 10 },
    files: {
      'lib.php': '<?php\nfunction total(int $x): int { return $x; }\n',
      ...each(
        (index) => `use${index}.php`,
        (index) => `<?php\n$used = total(${index});\n${padding((at) => `$more${at} = [${at}];`)}\n`,
      ),
    },
  },
  {
    servers: ['bash-language-server'],
    declared: { file_path: 'lib.sh', line: 1, character: 1 },
    files: {
      'lib.sh': 'total() { echo "$1"; }\n',
      ...each(
        (index) => `use${index}.sh`,
        (index) => `. ./lib.sh\ntotal ${index}\n`,
      ),
    },
  },
  {
    servers: ['some-sass-language-server'],
    declared: { file_path: '_lib.scss', line: 1, character: 1 },
    files: {
      '_lib.scss': '$total: 1px;\n',
      ...each(
        (index) => `use${index}.scss`,
        (index) => `@use 'lib';\n.use${index} { width: lib.$total; }\n`,
      ),
    },
  },
  {
    servers: ['fortls'],
    declared: { file_path: 'lib.f90', line: 3, character: 20 },
    files: {
      'lib.f90':
        'module lib\ncontains\n  integer function total(x)\n    integer, intent(in) :: x\n    total = x\n  end function total\nend module lib\n',
      ...each(
        (index) => `use${index}.f90`,
        (index) =>
          `subroutine used${index}()\n  use lib\n  integer :: n\n  n = total(${index})\nend subroutine used${index}\n`,
      ),
    },
  },
];

for (const project of projects) {
  for (const server of project.servers) {
    const missing = missingPrograms(server);
    const title = `PRO-30 the first answer ever of ${server} is whole, or says that it may not be${missing && ` (skipped: ${missing})`}`;
    it.skipIf(missing !== '')(title, { timeout: 240_000 }, async () => {
      const bridge = await open(server, project.files);
      const input = { ...project.declared, max_tokens: 20_000 };
      const cold = await bridge.call('find_references', input);
      const verdict = judge(cold.data);
      expect(verdict).toMatch(/^(whole|doubtful|error)/);
    });
  }
}

/** What an answer is worth: whole is one that names every file that uses the symbol. */
function judge(data: Readonly<Record<string, unknown>>): string {
  const { references, complete, doubts, error } = data;
  if (error !== undefined) return `error ${JSON.stringify(error)}`;
  const listed = JSON.stringify(references);
  const found = many.filter((index) => new RegExp(`\\buse${index}[./]`).test(listed)).length;
  if (found === many.length) return `whole, ${complete === true ? 'certain' : JSON.stringify(doubts)}`;
  return complete === true
    ? `silently wrong: ${found} of ${many.length}`
    : `doubtful: ${JSON.stringify(doubts)}`;
}

async function open(server: string, files: Files) {
  const root = realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text.replaceAll('<root>', root));
  }
  const disabledServers = servers.map(({ id }) => id).filter((id) => id !== server);
  const own = realpathSync(temporaryFolder());
  const environment = { ...process.env, XDG_CACHE_HOME: own, XDG_STATE_HOME: own };
  // Without trust, ccls is not started.
  const offer = offerTrust({ root, log: silent, overrides: { disabledServers }, environment });
  if (offer.servers.length > 0) writeTrustOf(offer, environment);
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: { disabledServers },
    environment,
  });
  onTestFinished(() => bridge.close());
  return bridge;
}
