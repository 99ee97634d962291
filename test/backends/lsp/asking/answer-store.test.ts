import { expect, it } from 'vitest';
import { AnswerStore, type CachedAnswers, weigh } from '../../../../src/backends/lsp/asking/answer-store.ts';

const always = () => true;

it('RES-08: an answer is known until what it depends on has changed', () => {
  const answers = new AnswerStore(10_000);
  const shelf: CachedAnswers<string> = new Map();
  let isCurrent = true;
  answers.set(shelf, 'a', { reply: whole('alpha'), isCurrent: () => isCurrent });
  expect(answers.get(shelf, 'a')).toEqual(whole('alpha'));
  isCurrent = false;
  expect(answers.get(shelf, 'a')).toBeUndefined();
  expect(answers.bytes).toBe(0);
});

it('RES-08: as many bytes are kept as may be, the least recently used going first', () => {
  const answers = new AnswerStore(5_000);
  const shelf: CachedAnswers<string> = new Map();
  const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
  for (const key of keys) {
    answers.set(shelf, key, { reply: whole('x'.repeat(200)), isCurrent: always });
    expect(answers.get(shelf, 'key 0')).toBeDefined();
    expect(answers.bytes).toBeLessThanOrEqual(5_000);
  }
  expect(shelf.size).toBeLessThan(15);
  expect(answers.get(shelf, 'key 1')).toBeUndefined();
  expect(answers.get(shelf, 'key 39')).toBeDefined();
  answers.clear();
  expect([answers.bytes, shelf.size]).toEqual([0, 0]);
});

it('an answer that would take all the room is not kept, and none is where there is no room', () => {
  const shelf: CachedAnswers<string> = new Map();
  for (const most of [0, 1_000]) {
    const answers = new AnswerStore(most);
    answers.set(shelf, 'a', { reply: whole('x'.repeat(2_000)), isCurrent: always });
    expect([answers.bytes, shelf.size]).toEqual([0, 0]);
  }
});

it('the same question kept again takes its room once', () => {
  const answers = new AnswerStore(10_000);
  const shelf: CachedAnswers<string> = new Map();
  for (const answer of ['alpha', 'beta', 'gamma'])
    answers.set(shelf, 'a', { reply: whole(answer), isCurrent: always });
  expect(answers.get(shelf, 'a')).toEqual(whole('gamma'));
  expect(answers.bytes).toBeLessThan(100);
});

it('no more of a large value is weighed than counts', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({ index, name: `name ${index}` }));
  expect(weigh(many, 1_000)).toBe(1_000);
  expect(weigh({ text: 'abc' }, 1_000)).toBeGreaterThan(6);
});

function whole(answer: string) {
  return { answer, doubts: [] };
}
