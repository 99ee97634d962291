// Changes, creates, renames and deletes files just before each call, and checks that no answer is older than the disk.
// Usage: node test/campaigns/freshness.js [rounds] [typescript|python]   (after `npm run build`)
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const rounds = Number(process.argv[2] ?? 100);
const only = process.argv[3];
const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

const languages = {
  typescript: {
    files: { 'tsconfig.json': '{"compilerOptions":{"strict":true,"module":"esnext"}}' },
    name: 'ts',
    library: (line) => `${'\n'.repeat(line - 1)}export function add(a: number): number { return a; }\n`,
    column: 17,
    user: (n) => `import { add } from './lib';\nexport const x${n} = add(${n});\n`,
    wrong: (n) => `export const y${n}: string = ${n};\n`,
    right: (n) => `export const y${n}: number = ${n};\n`,
  },
  python: {
    files: {},
    name: 'py',
    library: (line) => `${'\n'.repeat(line - 1)}def add(a: int) -> int: return a\n`,
    column: 5,
    user: (n) => `from lib import add\nx${n} = add(${n})\n`,
    wrong: (n) => `y${n}: str = ${n}\n`,
    right: (n) => `y${n}: int = ${n}\n`,
  },
};

for (const [language, text] of Object.entries(languages)) {
  if (only === undefined || only === language) await play(language, text);
}

async function play(language, text) {
  const root = mkdtempSync(path.join(tmpdir(), 'lspan-freshness-'));
  const file = (name) => path.join(root, `${name}.${text.name}`);
  for (const [name, body] of Object.entries(text.files)) writeFileSync(path.join(root, name), body);
  writeFileSync(file('lib'), text.library(1));
  mkdirSync(path.join(root, 'sub'));
  const client = new Client({ name: 'campaign', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', '--workspace', root] }),
  );
  const call = async (name, args) => {
    const { structuredContent, isError } = await client.callTool({ name, arguments: args });
    assert(!isError, JSON.stringify(structuredContent));
    return structuredContent;
  };
  let stale = 0;
  let doubtful = 0;
  const check = (what, actual, expected, { complete }) => {
    if (!complete) doubtful += 1;
    if (JSON.stringify(actual) === JSON.stringify(expected)) return;
    stale += 1;
    console.log(`${language}: ${what}: got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
  };
  const users = new Set();
  for (let round = 1; round <= rounds; round += 1) {
    const line = 1 + (round % 7);
    writeFileSync(file('lib'), text.library(line));
    change(round, users, file, text);
    const lib = `lib.${text.name}`;
    const found = await call('find_references', { file_path: lib, line, character: text.column });
    const paths = [...new Set(found.references.map((one) => one.file_path))];
    check(
      `round ${round} references`,
      paths,
      [lib, ...[...users].map((one) => `${one}.${text.name}`)].sort(),
      found,
    );
    const bad = round % 2 === 0;
    writeFileSync(file('problem'), bad ? text.wrong(round) : text.right(round));
    const problems = await call('get_diagnostics', {
      file_path: `problem.${text.name}`,
      min_severity: 'error',
    });
    check(`round ${round} problems`, problems.total, bad ? 1 : 0, problems);
  }
  await client.close();
  rmSync(root, { recursive: true });
  console.log(
    `${language}: ${rounds} rounds, ${2 * rounds} answers, ${stale} stale, ${doubtful} with doubts`,
  );
  if (stale > 0) process.exitCode = 1;
}

/** One user of the library appears, moves or goes in each round. */
function change(round, users, file, text) {
  const [oldest] = users;
  if (users.size < 3 || round % 3 === 0) {
    writeFileSync(file(`user${round}`), text.user(round));
    users.add(`user${round}`);
    return;
  }
  users.delete(oldest);
  if (round % 3 === 1) rmSync(file(oldest));
  else {
    renameSync(file(oldest), file(`moved${round}`));
    users.add(`moved${round}`);
  }
}
