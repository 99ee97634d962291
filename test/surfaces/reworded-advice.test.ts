import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { codeflowPhrases } from '../../src/surfaces/codeflow-errors.ts';
import { llxprtPhrases } from '../../src/surfaces/llxprt/text-tool.ts';

const root = path.resolve(import.meta.dirname, '../../src');
const said = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('surfaces') && !name.includes('wording'))
  .map((name) => readFileSync(path.join(root, name), 'utf8'))
  .join('\n');

it.each([...codeflowPhrases, ...llxprtPhrases])('a surface rewords %j, which lspan still says', (ours) => {
  // A sentence may be put together from a beginning and this end.
  expect(said.includes(ours.trim()) || said.includes(ours.replace('to check them', '${next}'))).toBe(true);
});
