import { expect, it } from 'vitest';
import type { Sighting } from '../../../src/core/problem-delta.ts';
import {
  type CheckChanges,
  type CheckRequest,
  type CheckResult,
  Conversation,
  Conversations,
  type WaitFor,
} from '../../../src/tools/state/conversation.ts';
import type { TextBefore } from '../../../src/tools/state/kept-texts.ts';

const old: TextBefore = { kind: 'text', text: 'old' };
const patient: WaitFor = async (work) => {
  await work;
  return true;
};
const impatient: WaitFor = async () => false;

/** Texts of which a test says when they change. */
function changingTexts() {
  const listeners = new Set<(path: string, before: TextBefore) => void>();
  return {
    onChange(listener: (path: string, before: TextBefore) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: async () => {},
    change: (path: string, before = old) => {
      for (const listener of listeners) listener(path, before);
    },
    listeners,
  };
}

function sighting(path: string, message: string): Sighting {
  const at = { line: 0, character: 0 };
  const problem = { range: { start: at, end: at }, severity: 'error', message, server: 's' } as const;
  return { path, problem, line: 'code', above: '', below: '' };
}

/** A check that ends when the test says what it found. */
function checks() {
  const begun: { request: CheckRequest; end: (result: CheckResult) => void; fail: (why: unknown) => void }[] =
    [];
  const check: CheckChanges = (request) =>
    new Promise((resolve, reject) => begun.push({ request, end: resolve, fail: reject }));
  return { begun, check };
}

const broken = sighting('/a', 'broken');
const found = (introduced: readonly Sighting[], uncertain: readonly string[] = []): CheckResult => ({
  introduced,
  present: new Map([['/a', introduced]]),
  uncertain,
});
const nothing = { introduced: [], goesOn: undefined };

it('nothing is checked or told as long as nothing has changed', async () => {
  const { begun, check } = checks();
  expect(await new Conversation(changingTexts()).hear(check, patient)).toEqual(nothing);
  expect(begun).toEqual([]);
});

it('what a check found is told once', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  texts.change('/a');
  const check = async () => found([broken]);
  expect(await conversation.hear(check, patient)).toEqual({ introduced: [broken], goesOn: undefined });
  expect(await conversation.hear(check, patient)).toEqual(nothing);
});

it('a check compares with the oldest text since the last one, and with the problems that one found', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  texts.change('/a');
  texts.change('/a', { kind: 'text', text: 'between' });
  const requests: CheckRequest[] = [];
  const check: CheckChanges = async (request) => {
    requests.push(request);
    return found([broken]);
  };
  await conversation.hear(check, patient);
  expect(requests[0]?.changed).toEqual(new Map([['/a', old]]));
  texts.change('/a', { kind: 'text', text: 'now' });
  await conversation.hear(check, patient);
  expect(requests[1]?.changed).toEqual(new Map([['/a', { kind: 'text', text: 'now' }]]));
  expect(requests[1]?.known('/a')).toEqual([broken]);
});

it('a check that takes too long goes on, which is told once, and the next call delivers what it found', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  expect(await conversation.hear(check, impatient)).toEqual({ introduced: [], goesOn: 1 });
  expect(await conversation.hear(check, impatient)).toEqual(nothing);
  begun[0]?.end(found([broken]));
  expect(await conversation.hear(check, patient)).toEqual({ introduced: [broken], goesOn: undefined });
  expect(begun).toHaveLength(1);
});

it('a check is ended and begun anew, for all changes, if files changed meanwhile', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  await conversation.hear(check, impatient);
  texts.change('/b');
  const hearing = conversation.hear(check, patient);
  expect(begun[0]?.request.signal.aborted).toBe(true);
  expect([...(begun[1]?.request.changed.keys() ?? [])]).toEqual(['/a', '/b']);
  begun[0]?.end(found([sighting('/a', 'of an old text')]));
  begun[1]?.end(found([broken]));
  expect((await hearing).introduced).toEqual([broken]);
});

it('what was found but not told is forgotten if the next check no longer finds it', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  await conversation.hear(check, impatient);
  begun[0]?.end(found([broken]));
  await Promise.resolve();
  texts.change('/a');
  const hearing = conversation.hear(check, impatient);
  begun[1]?.request.onScope(['/a']);
  // It may be wrong by now, so it is held back.
  expect((await hearing).introduced).toEqual([]);
  begun[1]?.end(found([]));
  expect(await conversation.hear(check, patient)).toEqual(nothing);
});

it('what was found about files that the next check is not about is told while that goes on', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  await conversation.hear(check, impatient);
  begun[0]?.end(found([broken]));
  await Promise.resolve();
  texts.change('/b');
  const other: WaitFor = async () => {
    begun[1]?.request.onScope(['/b']);
    return false;
  };
  expect(await conversation.hear(check, other)).toEqual({ introduced: [broken], goesOn: 1 });
});

it('a file about which servers were not certain is checked once more, and not for ever', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  for (let round = 0; round < 3; round += 1) {
    const hearing = conversation.hear(check, patient);
    begun[round]?.end({ introduced: [], present: new Map(), uncertain: ['/a'] });
    expect(await hearing).toEqual(nothing);
  }
  expect(begun).toHaveLength(2);
});

it('a check that fails is tried again by the next call', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  const failing = conversation.hear(check, patient);
  begun[0]?.fail(new Error('no server'));
  await expect(failing).rejects.toThrow('no server');
  const hearing = conversation.hear(check, patient);
  begun[1]?.end(found([broken]));
  expect((await hearing).introduced).toEqual([broken]);
});

it('a closed conversation ends its check and hears of no changes', async () => {
  const texts = changingTexts();
  const conversation = new Conversation(texts);
  const { begun, check } = checks();
  texts.change('/a');
  await conversation.hear(check, impatient);
  conversation.close();
  expect(begun[0]?.request.signal.aborted).toBe(true);
  expect(texts.listeners.size).toBe(0);
});

it('each conversation hears for itself; the first with an id goes on with what began without one', async () => {
  const texts = changingTexts();
  const conversations = new Conversations(texts);
  const begun = conversations.of(undefined);
  texts.change('/a');
  expect(conversations.of('one')).toBe(begun);
  const other = conversations.of('two');
  expect(other).not.toBe(begun);
  const check = async () => found([broken]);
  expect((await other.hear(check, patient)).introduced).toEqual([]);
  expect((await conversations.of('one').hear(check, patient)).introduced).toEqual([broken]);
});
