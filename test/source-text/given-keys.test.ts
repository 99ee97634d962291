import { expect, it } from 'vitest';
import { bracesOfAlias, givenTo, memberIn, parameterType } from '../../src/source-text/members/given-keys.ts';

const wordAt = (text: string, offset: number) => /^\w+/.exec(text.slice(offset))?.[0];

it.each([
  ['send({ ^x: 1 })', 'send', 0],
  ["send('a, b', [1, 2], { a: { b: 1 }, ^x: 2 })", 'send', 2],
  ['new Box<T>({ ^x })', 'Box', 0],
  ['const box: Box<T> = { a, ^x: 1 };', 'Box', undefined],
  ['send({ inner: { ^x: 1 } })', undefined, undefined],
  ['send([{ ^x: 1 }])', undefined, undefined],
  ['return { ^x: 1 };', undefined, undefined],
  ['log(`Hello, ${name}`, { ^x: 1 })', 'log', 1],
  ['call(...args, { ^x: 1 })', undefined, undefined],
  ['send(isA ? a : { ^x: 1 })', undefined, undefined],
])('the object in %s gets its type from %s, argument %s', (marked, giver, argument) => {
  const text = marked.replace('^', '');
  const given = givenTo(text, marked.indexOf('^'));
  expect(given && wordAt(text, given.giver)).toBe(giver);
  expect(given?.argument).toBe(argument);
});

it.each([
  ['function ^send(a: A, box: Box) {}', 1, 'Box'],
  ['function ^send<T extends { a: 1 }>(a: (b: B, c: C) => void, box?: Box<T> | null) {}', 1, 'Box'],
  ['const ^send = async ({ a, b }: Box) => {};', 0, 'Box'],
  ['class A { ^constructor(private readonly box: Box, b: B) {} }', 0, 'Box'],
  ['function ^send(box: { a: 1; x: 2 }) {}', 0, '{'],
  ['function ^send({ x }: { x: 2 }, b: B) {}', 0, '{'],
  ['function ^send(box: { a: 1 } & Box) {}', 0, undefined],
  ['function ^send(box: A | B) {}', 0, undefined],
  ['function ^send(...boxes: Box[]) {}', 0, undefined],
  ['function ^send(box = {}) {}', 0, undefined],
  ['function ^send(a: A) {}', 1, undefined],
  ['function ^send(this: A, box: Box) {}', 0, undefined],
])('in %s, the type of argument %s is %s', (marked, argument, expected) => {
  const text = marked.replace('^', '');
  const type = parameterType('a.ts', text, marked.indexOf('^'), argument);
  const found = type && ('name' in type ? wordAt(text, type.name) : text[type.braces]);
  expect(found).toBe(expected);
});

it('finds the members of a type, not those of what is in it', () => {
  const text = "type Box<T> = {\n  a: { x: 1 }\n  // x: 2\n  b: 'x: 3'\n  readonly x?: T\n}";
  const braces = bracesOfAlias(text, 5) ?? -1;
  expect(text[braces]).toBe('{');
  expect(text.slice(memberIn(text, braces, 'x') ?? -1)).toBe('x?: T\n}');
  expect(memberIn(text, braces, 'y')).toBeUndefined();
  expect(bracesOfAlias('type Box = { x: 1 } & A', 5)).toBeUndefined();
  expect(bracesOfAlias('const Box = { x: 1 }', 6)).toBeUndefined();
});
