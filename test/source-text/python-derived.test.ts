import { expect, test } from 'vitest';
import { derivedNames, isParameter, mayDeclareMember } from '../../src/source-text/members/python-derived.ts';

test.each([
  ['class Box(Base):', [['Box', false]]],
  ['class Box[T](\n    Base[T],  # why\n    Other,\n):', [['Box', true]]],
  ['class Box(Other, shop.Base): pass', [['Box', true]]],
  ['from shop import Base as Root', [['Root', false]]],
  ['Again = shop.Base\n', [['Again', false]]],
  ['print(Base)', []],
  ['again == Base', []],
])('the names that derive from a class in %j', (text, names) => {
  const found = derivedNames(text, 'Base').map(({ name, isJoining }) => [name, isJoining]);
  expect(found).toEqual(names);
});

test.each([
  ['    def run(self):', true],
  ['    async def run(self):', true],
  ['    run: int', true],
  ['    run = 1', true],
  ['        self.run = 1', true],
  ['        self.run: int = 1', true],
  ['    one, run = 1, 2', true],
  ['        self.run == 1', false],
  ['        self.run()', false],
  ['        print(run)', false],
])('%j may declare a member: %s', (text, isDeclared) => {
  expect(mayDeclareMember(text, text.indexOf('run'), 'run')).toBe(isDeclared);
});

test('a parameter of a function is one', () => {
  const text = 'def make(one, given=Base()):\n    class Made(given): pass\n';
  expect(isParameter(text, text.indexOf('given'))).toBe(true);
  expect(isParameter(text, text.lastIndexOf('given'))).toBe(false);
});

test('hostile texts are read in linear time', () => {
  for (const part of ['(', 'x ', 'x = ', 'class x', 'x as ', 'x.', '[', 'class x[(', '\nclass x(']) {
    const text = `class B(${part.repeat(5_000)}`;
    expect(derivedNames(text, 'x').length).toBeLessThan(20_000);
    expect(mayDeclareMember(text, text.length, 'x')).toBeDefined();
    expect(isParameter(text, text.length)).toBe(false);
  }
});
