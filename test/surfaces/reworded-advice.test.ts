import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { codeflowPhrases } from '../../src/surfaces/codeflow-errors.ts';
import { gatewayPhrases } from '../../src/surfaces/gateway/failure.ts';
import { llxprtPhrases } from '../../src/surfaces/llxprt/text-tool.ts';
import { pathfinderPhrases } from '../../src/surfaces/pathfinder.ts';

const root = path.resolve(import.meta.dirname, '../../src');
const said = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('surfaces') && !name.includes('wording'))
  .map((name) => readFileSync(path.join(root, name), 'utf8'))
  .join('\n');

const rewordings = [codeflowPhrases, llxprtPhrases, gatewayPhrases, pathfinderPhrases].flat();

it('no surface advises a command that starts another lspan to learn the state of this one', () => {
  expect(rewordings.filter(([, theirs]) => /get_server_status|lspan call/.test(theirs))).toEqual([]);
  const surfaces = readdirSync(path.join(root, 'surfaces'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(root, 'surfaces', name), 'utf8'));
  expect(surfaces.filter((source) => source.includes('lspan call'))).toEqual([]);
});

it.each(rewordings)('a surface rewords %j, which lspan still says', (ours) => {
  // A sentence may be put together from a beginning and this end.
  expect(said.includes(ours.trim()) || said.includes(ours.replace('to check them', '${next}'))).toBe(true);
});
