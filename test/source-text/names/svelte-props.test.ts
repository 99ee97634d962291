import { expect, it } from 'vitest';
import {
  declaresProperty,
  exportedProperties,
  propertyGiven,
  spreadTags,
  untypedProperty,
} from '../../../src/source-text/names/svelte-props.ts';

/** The word between bars, and the text without them. */
function marked(given: string) {
  const start = given.indexOf('|');
  const end = given.indexOf('|', start + 1) - 1;
  return { text: given.replaceAll('|', ''), word: { start, end } };
}

it.each([
  ['<script>\n  export let |size| = 1;\n</script>', true],
  ['<script>export let |size|;</script>', true],
  ['  export let first, second: number = 2, |size|;', true],
  ['  let |size| = 1;', false],
  ['  export const |size| = 1;', false],
  ['  export let first = 1;\n  let |size| = 2;', false],
  ['  let { |size| } = $props();', true],
  ['  let { first, |size| = 1, ...rest } = $props();', true],
  ['  let { |size|: local } = $props();', true],
  ['  let { size: |local| } = $props();', false],
  ['  let { |size| = $bindable({ a: 1 }) }: { size: object } = $props();', true],
  ['  const { |size| }: Props = $props<Props>();', true],
  ['  let { |size| } = other();', false],
  ['  let a = { |size|: 1 };\n  let { b } = $props();', false],
])('tells whether a word declares a property: %s', (given, is) => {
  const { text, word } = marked(given);
  expect(declaresProperty(text, word)).toBe(is);
});

it.each([
  ['let { |size| } = $props();', true],
  ['export let |size|: number;', true],
  ['let { |size| }: { size: number } = $props();', false],
  ['let { |size| }: Props = $props();', false],
  ['let |size| = 1;', false],
])('finds the declaration of a property that no type has: %s', (given, is) => {
  const { text, word } = marked(given);
  expect(untypedProperty(text, 'size')).toEqual(is ? word : undefined);
});

it.each([
  ['<Child |size|={2} />', 'Child'],
  ['<Child |size|>', 'Child'],
  ['<Child bind:|size| />', 'Child'],
  ['<Child bind:|size|={value} />', 'Child'],
  ['<Child {|size|} />', 'Child shorthand'],
  ['<Child a="size > b" on:click={() => { if (a > b) { c(); } }} {...rest} |size|={2} />', 'Child'],
  ['<Child\n  a={1}\n  |size|="x"\n/>', 'Child'],
  ['<Lib.Child |size|="x" />', 'Lib.Child'],
  ['<svelte:component this={x} |size|="x" />', 'svelte:component'],
  ['<svelte:self |size|="x" />', 'svelte:self'],
  ['<Child a={|size|} />', undefined],
  ['<Child a="|size|" />', undefined],
  ['<Child on:|size|={x} />', undefined],
  ['<Child let:|size| />', undefined],
  ['<Child a={1} /> {|size|}', undefined],
  ['<Child a={1}>|size|</Child>', undefined],
  ['<div |size|="x" />', undefined],
  ['<script>let a = <Child>(|size|);</script>', undefined],
  ['<Child {...|size|} />', undefined],
])('tells to which component an attribute gives a property: %s', (given, expected) => {
  const { text, word } = marked(given);
  const found = propertyGiven(text, word);
  expect(found && `${found.tag}${found.isShorthand ? ' shorthand' : ''}`).toBe(expected);
});

it.each(['{', '{{', '<Child a={', 'export let a,', '<Child a="'])(
  'takes time in proportion to the text: %s',
  (piece) => {
    const text = `${piece.repeat(20_000)}size`;
    const word = { start: text.length - 4, end: text.length };
    expect(propertyGiven(text, word)).toBeUndefined();
    expect(declaresProperty(text, word)).toBe(false);
  },
);

it.each<[string, readonly (readonly [string, string])[]]>([
  [
    '<script>\n  let a, c;\n  export { a as b, c };\n</script>',
    [
      ['a', 'b'],
      ['c', 'c'],
    ],
  ],
  ["<script>\n  export { a } from './a';\n</script>", []],
  ['<script module>\n  export { a as b };\n</script>', []],
])('the properties of the list of exports in %j are known', (text, expected) => {
  const found = exportedProperties(text).map(({ local, name }) => [
    text.slice(local.start, local.end),
    text.slice(name.start, name.end),
  ]);
  expect(found).toEqual(expected);
});

it('The components that get properties by a spread are known', () => {
  const text = '<A {...rest} /><B a={1} {... $$props}>{...no}</B><C a={...x} b="{...y}" /><D />';
  expect(spreadTags(text)).toEqual(['A', 'B']);
});
