import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellWord, splitWords } from '../../../src/core/wording/shell-words.ts';
import { withSeed } from '../../with-seed.ts';

it.each([
  ['ssh host', ['ssh', 'host']],
  ['  kubectl exec -i  pod -- ', ['kubectl', 'exec', '-i', 'pod', '--']],
  [`docker exec -i 'my box' "a \\"b\\" $c" d\\ e''f`, ['docker', 'exec', '-i', 'my box', 'a "b" $c', 'd ef']],
  [`"C:\\Program Files\\ssh.exe" host`, ['C:\\Program Files\\ssh.exe', 'host']],
  ['', []],
])('%s is split as a shell does it', (command, words) => {
  expect(splitWords(command)).toEqual(words);
});

it.each([`ssh 'host`, `ssh "host`, `ssh "a\\"`])('%s is no command: a quote is not closed', (command) => {
  expect(splitWords(command)).toBeUndefined();
});

it('whatever words are quoted come back, here and from a shell', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((one) => !one.includes('\0'));
  const words = fc.array(word, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, (given) => {
      expect(splitWords(given.map(shellWord).join(' '))).toEqual(given);
    }),
    withSeed({ numRuns: 1_000 }),
  );
  const odd = ["it's", '$HOME', 'a  b', '*', '"', '\\', 'é\n'];
  const said = execFileSync('/bin/sh', ['-c', `printf '%s|' ${odd.map(shellWord).join(' ')}`]);
  expect(String(said)).toBe(odd.map((one) => `${one}|`).join(''));
});
