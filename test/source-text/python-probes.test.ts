import { expect, test } from 'vitest';
import { withProbes } from '../../src/source-text/members/python-probes.ts';

test('probes stand above their classes, and lines are mapped back', () => {
  const text = 'import a\n\n@mark\nclass One(a.Base):\n    class Two(x(\n      1)): pass\n';
  const probed = withProbes(text, [
    { line: 3, expression: 'a.Base', member: 'run' },
    { line: 3, expression: 'a.Base', member: 'stop' },
    { line: 4, expression: 'x(\n      1)', member: 'run' },
  ]);
  const lines = probed.text.split('\n');
  expect(lines).toEqual([
    'import a',
    '',
    '@mark',
    '@(lambda _: ((a.Base).run, _)[1])',
    '@(lambda _: ((a.Base).stop, _)[1])',
    'class One(a.Base):',
    '    @(lambda _: ((x(',
    '      1)).run, _)[1])',
    '    class Two(x(',
    '      1)): pass',
    '',
  ]);
  const found = probed.places.map(({ line, character }) => lines[line]?.slice(character, character + 3));
  expect(found).toEqual(['run', 'sto', 'run']);
  expect(lines.map((_, line) => probed.lineBefore(line))).toEqual([0, 1, 2, 3, 3, 3, 4, 4, 4, 5, 6]);
});
