import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import ts from 'typescript-5';
import { describe, expect, it } from 'vitest';
import {
  blockedByTrustDoubt,
  partlyBlockedByTrust,
  reportsTrouble,
} from '../../../src/backends/lsp/errors/server-errors.ts';
import type { Doubt } from '../../../src/core/doubts.ts';
import { limits } from '../../../src/core/limits.ts';
import { untrusted } from '../../../src/core/trust.ts';
import { nameSome } from '../../../src/core/wording/name-some.ts';
import type { ProjectFacts, ServerDefinition } from '../../../src/servers/definition.ts';
import { servers } from '../../../src/servers/index.ts';
import { renderDoubt } from '../../../src/tools/run/render-result.ts';
import { noFacts } from '../../project-facts.ts';

/** Tokens of a line that tells a doubt. */
const most = 40;
const root = path.resolve(import.meta.dirname, '../../..');

function expectShort(doubt: Doubt): void {
  const line = renderDoubt(doubt);
  expect({ line, tokens: encode(line).length }).toEqual({ line, tokens: expect.toSatisfy((n) => n <= most) });
  expect(line).toContain(doubt.detail);
}

/** An untrusted project in which nothing is installed. */
const facts: ProjectFacts = {
  ...noFacts,
  exists: (file) => /(Cargo\.toml|build\.rs|prisma\.config\.ts)$/.test(file),
};

const lapsed = {
  granted: false,
  reason: 'It changed.',
  brief: '"a.json" has changed since it was trusted',
} as const;

function doubtsOf(definition: ServerDefinition): readonly Doubt[] {
  const folders = [
    definition.projects?.workspaceFolders?.doubtIfSeveral ?? [],
    definition.diagnostics?.mixesFolders?.doubt ?? [],
  ].flat();
  const own = (['references', 'diagnostics'] as const).flatMap(
    (service) => definition.doubts?.(facts, service) ?? [],
  );
  const trusts = [untrusted, lapsed];
  return [
    ...own.filter(({ kind }) => kind !== 'not_trusted'),
    ...own
      .filter(({ kind }) => kind === 'not_trusted')
      .flatMap(({ detail }) => trusts.map((trust) => partlyBlockedByTrust(definition, detail, trust))),
    ...(definition.trust?.runs ? trusts.map((trust) => blockedByTrustDoubt(definition, trust)) : []),
    ...folders.map((detail) => ({ kind: 'project_not_loaded' as const, detail })),
  ];
}

describe('a doubt takes at most 40 tokens', () => {
  it.each(servers.map((definition) => [definition.id, definition] as const))(
    'of %s, trusted or not',
    (_id, definition) => doubtsOf(definition).forEach(expectShort),
  );

  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/^(servers|library|surfaces|frontends|client)/.test(file),
  );
  const making = sources.flatMap((file) => {
    const text = readFileSync(path.join(root, 'src', file), 'utf8');
    return /\bDoubt\b/.test(text) && /\bdetail\b/.test(text) ? [[file, text] as const] : [];
  });
  it.each(making)('in %s, whatever is named and counted', (_file, text) => {
    for (const detail of sentencesIn(text)) expectShort({ kind: 'project_not_loaded', detail });
  });

  it('in every answer of the scenarios', () => {
    const folder = path.join(root, 'test/scenarios');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.scenario')))
      for (const [line] of readFileSync(path.join(folder, file), 'utf8').matchAll(/^May be incomplete .*$/gm))
        expect([file, line, encode(line).length <= most]).toEqual([file, line, true]);
  });

  it('if a server or an error has many words: the text cuts them, and the data does not', () => {
    const words =
      'failed to load the workspace because the manifest of the package could not be parsed at all '.repeat(
        3,
      );
    const [definition] = servers;
    if (!definition) throw new Error('There are servers.');
    const doubt = reportsTrouble(definition, words);
    const line = renderDoubt(doubt);
    expect(encode(line).length).toBeLessThanOrEqual(most);
    expect(line).toMatch(/ reports: failed to load .*…$/);
    expect(doubt.detail.length).toBeGreaterThan(line.length);
  });
});

it('names as many places as there is room for, counts the others, and shortens a long path from its beginning', () => {
  expect(nameSome(['a.ts:1:2'])).toBe('a.ts:1:2');
  expect(nameSome(['a.ts:1:2', 'b.ts:3:4', 'c.ts:5:6', 'd.ts:7:8', 'e.ts:9:1'])).toBe(
    'a.ts:1:2, b.ts:3:4 and 3 more',
  );
  const long = `${'folder/'.repeat(20)}last.ts:1:2`;
  expect(nameSome([long, long])).toBe('…folder/folder/folder/folder/last.ts:1:2 and 1 more');
  expect(nameSome([long]).length).toBe(limits.named.room);
});

/** Returns the sentences that a source file may say in a doubt, with samples for what they name. */
function sentencesIn(text: string): readonly string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || isNoDoubt(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const sentence = sampleOf(node);
      if (sentence.split(' ').length > 4 && /^[A-Zs0-9{]/.test(sentence)) found.push(sentence);
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** True for the words of errors and of tools. */
function isNoDoubt(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node))
    return node.type?.getText() === 'LspanError' || node.type?.getText() === 'never';
  if (ts.isPropertyAssignment(node)) return node.name.getText() === 'description';
  return ts.isNewExpression(node) && node.expression.getText() === 'LspanError';
}

/** Returns the longest text of an expression: its own words, and samples for the rest. */
function sampleOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map((span) => sampleOf(span.expression) + span.literal.text).join('')
    );
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [sampleOf(node.whenTrue), sampleOf(node.whenFalse)];
    return yes.length > no.length ? yes : no;
  }
  if (ts.isParenthesizedExpression(node)) return sampleOf(node.expression);
  return samples.find(([pattern]) => pattern.test(node.getText()))?.[1] ?? 'someName';
}

/** By what the expression is called. */
const samples: readonly (readonly [RegExp, string])[] = [
  [
    /nameSome|namePlaces|places|names$|^text$|shown|show\(/,
    nameSome(['packages/core/src/node/server.ts:123:45', 'a.ts']),
  ],
  [/plural|files\(/, '123 mentions'],
  [
    /[lL]ength|count|left|total|found|size|limits|most|files|missed|asked|untold|made|times|fileCap|symbolCap|elapsed/,
    '123',
  ],
  [/^(id|server|to|.*\.server|definition\.id)$/, 'typescript-language-server'],
];
