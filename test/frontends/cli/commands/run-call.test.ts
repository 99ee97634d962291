import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../../../src/bridge.ts';
import type { BridgeSettings } from '../../../../src/bridge-settings.ts';
import { defaultConfig } from '../../../../src/config/default-config.ts';
import { silent } from '../../../../src/core/log.ts';
import { CallsInProgress } from '../../../../src/core/runtime/calls-in-progress.ts';
import { callOnce, formatOutcome, readInput } from '../../../../src/frontends/cli/commands/run-call.ts';
import { interruption } from '../../../../src/frontends/cli/interruption.ts';
import type { Outcome } from '../../../../src/tools/run/tool.ts';

const good: Outcome = { text: 'two\nlines', data: { total: 2, complete: true }, isError: false };
const bad: Outcome = { text: 'Not found.', data: { error: { code: 'not_found' } }, isError: true };

/** A bridge with given answers that records what happens to it. */
function fakeBridge(call: Bridge['call']) {
  const events: unknown[] = [];
  const bridge: Bridge = {
    config: defaultConfig,
    calls: new CallsInProgress(),
    call,
    close: async (options) => void events.push(['close', options]),
  };
  const open = async (settings: BridgeSettings) => {
    events.push(['open', settings.roots]);
    return bridge;
  };
  return { open, events };
}

function run(call: Bridge['call'], signals = new EventEmitter()) {
  const { open, events } = fakeBridge(call);
  const answer = async (outcome: Outcome) => void events.push(['answer', outcome]);
  const prepared = { bridge: { surface: 'lspan', log: silent }, roots: ['/w'] };
  return { ended: callOnce(open, prepared, { tool: 't', input: {}, answer }, signals), events };
}

describe('lspan call', () => {
  it('answers, then closes, with exit code 0', async () => {
    const { ended, events } = run(async () => good);
    expect(await ended).toBe(0);
    expect(events).toEqual([
      ['open', ['/w']],
      ['answer', good],
      ['close', { hurried: false }],
    ]);
  });

  it('ends with exit code 1 after an error of the tool', async () => {
    const { ended, events } = run(async () => bad);
    expect(await ended).toBe(1);
    expect(events).toContainEqual(['answer', bad]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])('on %s cancels the call, closes hurriedly and exits with %i', async (signal, code) => {
    const signals = new EventEmitter();
    const { ended, events } = run((_, __, options) => {
      setImmediate(() => signals.emit(signal, signal));
      return new Promise((resolve) => options?.signal?.addEventListener('abort', () => resolve(bad)));
    }, signals);
    expect(await ended).toBe(code);
    expect(events).toEqual([
      ['open', ['/w']],
      ['close', { hurried: true }],
    ]);
    expect(signals.eventNames()).toEqual([]);
  });

  it('rejects if the bridge cannot be opened, and removes its signal handlers', async () => {
    const signals = new EventEmitter();
    const answer = async () => {};
    const prepared = { bridge: { surface: 'lspan', log: silent }, roots: [] };
    const open = () => Promise.reject(new Error('no'));
    await expect(callOnce(open, prepared, { tool: 't', input: {}, answer }, signals)).rejects.toThrow('no');
    expect(signals.eventNames()).toEqual([]);
  });

  it('ends at once on a second signal', () => {
    const signals = new EventEmitter();
    const exits: number[] = [];
    const interrupted = interruption(signals, (code) => exits.push(code));
    signals.emit('SIGINT', 'SIGINT');
    expect([interrupted.signal.aborted, interrupted.exitCode(), exits]).toEqual([true, 130, []]);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([143]);
  });

  it('applies what it previews with --apply, in the same process, and nothing else', async () => {
    const asked: unknown[] = [];
    const plan = { ...good, data: { plan: { plan_id: 'p-1' } } };
    const { open } = fakeBridge(async (tool, args) => {
      asked.push([tool, args]);
      return tool === 't' ? plan : good;
    });
    const prepared = { bridge: { surface: 'lspan', log: silent }, roots: ['/w'] };
    const call = { tool: 't', input: { check: false }, answer: async () => {} };
    await callOnce(open, prepared, call, new EventEmitter());
    expect(asked).toEqual([['t', { check: false }]]);
    await callOnce(open, prepared, { ...call, apply: true }, new EventEmitter());
    expect(asked.slice(1)).toEqual([
      ['t', { check: false }],
      ['apply_workspace_edit', { plan_id: 'p-1', check: false }],
    ]);
  });

  it('names no plan that the next process cannot know', () => {
    const text =
      'Preview of a: 1 file. Nothing has been written. Apply with plan_id "p-1" or `dry_run: false`.';
    expect(formatOutcome({ ...good, text }, false)).toBe(
      'Preview of a: 1 file. Nothing has been written. Apply with the flag --apply.\n',
    );
  });

  it('prints the text, or all data with is_error', () => {
    expect(formatOutcome(good, false)).toBe('two\nlines\n');
    expect(formatOutcome({ ...good, text: 'x\n' }, false)).toBe('x\n');
    expect(formatOutcome(good, true)).toBe('{"total":2,"complete":true,"is_error":false}\n');
    expect(JSON.parse(formatOutcome(bad, true))).toEqual({ error: { code: 'not_found' }, is_error: true });
  });

  it('reads its input as one JSON object, which is empty if absent', () => {
    expect(readInput(undefined)).toEqual({});
    expect(readInput(' {"a": [1]} ')).toEqual({ a: [1] });
  });

  it.each(['', '{', '{a: 1}', "{'a': 1}", 'null', '[]', '1', '"x"'])('refuses the input %j', (text) => {
    expect(() => readInput(text)).toThrow(/JSON/);
  });

  it.each([
    ['Cart', '{"symbol_name": "Cart"}'],
    ['src/cart.ts', '{"file_path": "src/cart.ts"}'],
    ['query=Cart', '{"query": "Cart"}'],
    ["{'line': 1}", '{"symbol_name": "run"}'],
  ])('%s instead of JSON is answered with %s', (text, meant) => {
    expect(() => readInput(text)).toThrow(`Quote it for the shell: '${meant}'.`);
  });
});
