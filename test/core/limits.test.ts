import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../src');

/** Numbers that bound nothing, by the reason why they stand where they do. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'the code of a character': ['workspace/texts/document.ts LF', 'workspace/texts/document.ts CR'],
  'a number of LSP or JSON-RPC': [
    'backends/lsp/protocol/watched-files.ts everyKind',
    'backends/lsp/questions/completions.ts deprecatedTag',
    'backends/lsp/questions/completions.ts snippet',
    'servers/tsserver-answers.ts variable',
    'surfaces/codeflow-errors.ts requestFailed',
    'testing/fake-server/hierarchies.js functionKind',
  ],
  'a unit': [
    'config/schema/key-shapes.ts mebibyte',
    'config/schema/limits-schema.ts second',
    'platform/processes/process-files.ts ticksPerSecond',
  ],
  'the layout of a text': [
    'backends/index/answers/index-context.ts shortCommit',
    'edits/text/unified-diff.ts context',
    'frontends/cli/commands/run-config.ts maxWidth',
    'tools/actions/format-document.ts defaultSize',
  ],
  'the form of a file': [
    'backends/index/scip/read-scip.ts definitionRole',
    'backends/index/scip/read-scip.ts longestHead',
    'backends/index/scip/read-scip.ts mostLines',
    'backends/index/scip/wire-reader.ts longestVarint',
    'edits/apply/journal.ts firstLineLength',
  ],
  'the version of messages': ['frontends/daemon/hello.ts protocolRevision'],
  'the length of a carriage return and a line feed': ['backends/lsp/convert/proposal.ts longestBreak'],
  'what the kernel does by default': ['workspace/freshness/cookie.ts defaultLength'],
  'a version of Node': ['frontends/engine-flags.ts newestPassing'],
  'the versions in the names of programs': ['servers/clangd.ts newest', 'servers/clangd.ts oldest'],
  'an order': ['config/servers/merge-definition.ts chosenRank'],
  'a mark in a table': ['workspace/texts/word-set.ts plain', 'workspace/texts/word-set.ts unusual'],
};

/** What is written in hexadecimal or octal is a code, a mask or a hash. */
const number = /^(export )?const (\w+)(: number)? = (?=.*\d)(?!.*\b0[xo])[\d\s_.e+*/%()-]+;/gm;

it('every bound is in the table: a number that has a name elsewhere says why it is none', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.[jt]s$/.test(file),
  );
  const found = files.flatMap((file) => {
    const name = file.replaceAll(path.sep, '/');
    if (/^core\/(?:limits|bounds\/[a-z]+-limits)\.ts$/.test(name)) return [];
    return [...readFileSync(path.join(root, file), 'utf8').matchAll(number)].map(
      (match) => `${name} ${match[2]}`,
    );
  });
  expect(found.sort()).toEqual(Object.values(allowed).flat().sort());
});
