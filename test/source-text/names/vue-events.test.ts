import { expect, it } from 'vitest';
import { eventMentions, isEmittedAt, toKebab } from '../../../src/source-text/names/vue-events.ts';

it('writes names as templates may', () => {
  expect(['itemCount', 'item', 'MyList'].map(toKebab)).toEqual(['item-count', 'item', 'my-list']);
});

it.each([
  ['defineEmits<{ rowMoved: [id: number] }>()', true],
  ["defineEmits<{ (e: 'added', id: number): void; (e: 'rowMoved'): void }>()", true],
  ["defineEmits(['added', 'rowMoved'])", true],
  ['defineEmits<{\n  save: [data: Item]\n  rowMoved: []\n}>()', true],
  ['export default { emits: { added: null, rowMoved: null } }', true],
  ["export default { emits: ['rowMoved'], data() {} }", true],
  ["export default { emits: ['added'], data() { return { rowMoved: 1 } } }", false],
  ["defineEmits(['added']);\nconst rowMoved = 1;", false],
  ["this.$emit('rowMoved')", true],
  ["emit('added', rowMoved)", false],
])('tells whether a name is that of an event: %s', (text, is) => {
  expect(isEmittedAt('/a/List.vue', text, text.indexOf('rowMoved'))).toBe(is);
  expect(isEmittedAt('/a/list.ts', text, text.indexOf('rowMoved'))).toBe(false);
});

const emitter = { file: '/a/MyList.vue', isOther: (tag: string) => tag === 'Other' };

it.each([
  ['<MyList @row-moved="x" />', ['row-moved']],
  ['<my-list v-if="a < b" v-on:rowMoved.once="x" />', ['rowMoved']],
  ['<Other @row-moved="x" />', []],
  ['<Unknown @row-moved="x" />', ['row-moved']],
  ['<div @row-moved="x"></div>', []],
  ['<component :is="a" @row-moved="x" />', ['row-moved']],
  ['<MyList :row-moved="x">row-moved</MyList>', []],
  ["import MyList from './MyList.vue'; <MyList @row-moved />", ['row-moved']],
  ["import MyList from './Else.vue'; <MyList @row-moved />", []],
  ["import { Listing } from './lists'; <Listing @row-moved />", ['row-moved']],
  ['h(MyList, { onRowMoved: x, onRowMovedBack: x })', ['onRowMoved']],
  ['<MyList onRowMoved={x} />', ['onRowMoved']],
])('finds listeners to an event: %s', (text, words) => {
  const found = eventMentions('/a/App.vue', text, 'rowMoved', emitter);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(words);
});

it('finds where a component emits its own event', () => {
  const text = "emit('rowMoved'); $emit(\"rowMoved\", 1); log('rowMoved')";
  expect(eventMentions(emitter.file, text, 'rowMoved', emitter).map(({ start }) => start)).toEqual([6, 25]);
});

it('takes time in proportion to the text', () => {
  for (const part of ['import x ', '<A ', '<a @x ', 'import ', ' @x', "emit('x'", 'defineEmits('])
    eventMentions('/a/App.vue', part.repeat(4_000), 'x', emitter);
});

it('very many tags and names are read in linear time', () => {
  const emitter = { file: '/w/Cart.vue', isOther: () => false };
  for (const part of [
    '<Cart @total ',
    '< < <',
    ' @total',
    "import a from 'a';",
    "emit('total'",
    'defineEmits<',
  ])
    eventMentions('/w/App.vue', part.repeat(4_000), 'total', emitter);
});
