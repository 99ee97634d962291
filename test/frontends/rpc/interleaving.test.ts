import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { asLspanError, LspanError } from '../../../src/core/errors.ts';
import { fail } from '../../../src/tools/run/render-error.ts';
import type { Outcome } from '../../../src/tools/run/tool.ts';
import { cut, frameOf } from '../../jsonrpc/collect-frames.ts';
import { withSeed } from '../../with-seed.ts';
import { openChannel, stubBridge, type Told } from './open-channel.ts';

const file = fc.constantFrom('a', 'b');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('check' as const), file, given: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('call' as const), heeds: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      file: fc.oneof(file, fc.constant('outside')),
      isNull: fc.boolean(),
      isRequest: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('twice' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('garbage' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('let go' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
);
const steps = fc.array(step, { maxLength: 60 });
const chunk = fc.integer({ min: 1, max: 4_000 });

it('requests, cancels and changes in any order and cut anywhere are each answered once, never crossed, and see the last change before them', async () => {
  const property = fc.asyncProperty(steps, chunk, async (all, size) => {
    const host = new Host(size);
    for (const one of all) await host.take(one);
    await host.finish();
    host.expectRight();
  });
  await fc.assert(property, withSeed({ numRuns: 300 }));
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What a request may be answered with. */
interface Expected {
  readonly result: unknown;
  error?: number;
  isCancelled: boolean;
}

/** A host that does the steps, and remembers what it has to be told. */
class Host {
  readonly #channel = openChannel(() => this.#opening);
  readonly #size: number;
  readonly #expected = new Map<number, Expected>();
  /** What the host knows the texts to be, and what the bridge was told. */
  readonly #meant = new Map<string, string>();
  readonly #held = new Map<string, string>();
  /** The calls that the bridge has not answered. */
  readonly #pending: (() => void)[] = [];
  #unsent: Buffer[] = [];
  #nameless = 0;
  #count = 0;
  #open = (_bridge: Bridge) => {};
  readonly #opening = new Promise<Bridge>((resolve) => {
    this.#open = resolve;
  });

  constructor(size: number) {
    this.#size = size;
  }

  async take(one: Step): Promise<void> {
    if (one.kind === 'check') this.#check(one.file, one.given);
    else if (one.kind === 'call') this.#call(one.heeds);
    else if (one.kind === 'change') this.#change(one);
    else if (one.kind === 'cancel') this.#cancel(one.which);
    else if (one.kind === 'twice') this.#twice(one.which);
    else if (one.kind === 'garbage') this.#garbage();
    else {
      this.#flush();
      if (one.kind === 'open') this.#open(this.#bridge());
      else if (one.kind === 'let go')
        this.#pending.splice(one.which % Math.max(1, this.#pending.length), 1)[0]?.();
      await new Promise(setImmediate);
    }
  }

  /** Sends the rest, opens the bridge, and waits for all answers. */
  async finish(): Promise<void> {
    this.#flush();
    this.#open(this.#bridge());
    const last = this.#channel.ask('lsp/status', {}, 'last');
    const answers = [...this.#expected.keys()].map((id) => this.#channel.answerTo(id));
    await last;
    // What is not pending by now has its answer.
    for (const letGo of this.#pending.splice(0)) letGo();
    await Promise.all(answers);
    await this.#channel.ask('lsp/status', {}, 'very last');
  }

  expectRight(): void {
    const { told } = this.#channel;
    expect(told.all).toHaveLength(this.#expected.size + this.#nameless + 2);
    expect(told.all.filter(({ id }) => id === null)).toHaveLength(this.#nameless);
    for (const [id, expected] of this.#expected) {
      const [answer, ...others] = told.all.filter((one) => one.id === id);
      expect(others).toEqual([]);
      expectAnswer(answer, expected);
    }
    expect(this.#held).toEqual(this.#meant);
    void this.#channel.channel.close();
  }

  #check(filePath: string, isGiven: boolean): void {
    const text = `given ${this.#count}`;
    const seen = isGiven ? text : (this.#meant.get(filePath) ?? 'disk');
    const params = isGiven ? { filePath, text } : { filePath };
    this.#request('lsp/checkFile', params, [{ file: filePath, message: seen }]);
  }

  #call(heeds: boolean): void {
    const args = { nonce: this.#count, texts: [...this.#meant] };
    const result = { text: '', data: args };
    this.#request('lsp/call', { tool: heeds ? 'heeds' : 'is deaf', arguments: args }, result);
  }

  #change({ file: filePath, isNull, isRequest }: Step & { kind: 'change' }): void {
    const text = isNull ? null : `text ${this.#count}`;
    if (filePath !== 'outside') hold(this.#meant, filePath, text);
    const params = { filePath, text };
    if (!isRequest) this.#send({ method: 'lsp/didChange', params });
    else if (filePath === 'outside') this.#request('lsp/didChange', params, undefined, -32000);
    else this.#request('lsp/didChange', params, null);
    this.#count += 1;
  }

  #cancel(which: number): void {
    const id = which % (this.#count + 1);
    const expected = this.#expected.get(id);
    // Whether a change was made before it was cancelled only its answer tells.
    if (expected && !Array.isArray(expected.result) && !isCall(expected.result)) return;
    if (expected) expected.isCancelled = true;
    this.#send({ method: '$/cancelRequest', params: { id } });
  }

  /** Takes an id that is in flight, if one surely is. */
  #twice(which: number): void {
    const ids = [...this.#expected.keys()];
    const id = ids[which % Math.max(1, ids.length)];
    const isAnswered = this.#channel.told.all.some((one) => one.id === id);
    // What is deaf and was not let go is in flight; of others nobody can tell.
    if (id === undefined || isAnswered || this.#deaf.get(id) !== false) return;
    this.#nameless += 1;
    this.#send({ id, method: 'lsp/status' });
  }

  /** The calls that do not heed a cancellation, and whether they were let go. */
  readonly #deaf = new Map<number, boolean>();

  #garbage(): void {
    this.#nameless += 1;
    this.#unsent.push(frameOf('{"jsonrpc":"2.0","id":1,'));
  }

  #request(method: string, params: unknown, result: unknown, error?: number): void {
    const id = this.#count;
    this.#count += 1;
    this.#expected.set(id, { result, isCancelled: false, ...(error === undefined ? {} : { error }) });
    this.#send({ id, method, params });
  }

  #send(message: object): void {
    this.#unsent.push(frameOf(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  #flush(): void {
    for (const part of cut(Buffer.concat(this.#unsent), this.#size)) this.#channel.input.write(part);
    this.#unsent = [];
  }

  #bridge(): Bridge {
    return stubBridge({
      call: (tool, args, { signal } = {}) =>
        new Promise((resolve) => {
          const { nonce, texts } = readArgs(args);
          // What is told is what is held when the call arrives, and not what was meant.
          expect(texts).toEqual([...this.#held]);
          const answer: Outcome = { text: '', data: { nonce, texts: [...this.#held] }, isError: false };
          if (tool === 'heeds')
            signal?.addEventListener('abort', () => resolve(fail(asLspanError(signal.reason))));
          else this.#deaf.set(nonce, false);
          this.#pending.push(() => {
            this.#deaf.set(nonce, true);
            resolve(answer);
          });
        }),
      desk: {
        hold: (path, text) => {
          if (path === 'outside') throw new LspanError('outside_workspace', 'It lies outside.');
          hold(this.#held, path, text);
        },
        check: (path, text, { signal } = {}) => {
          const message = text ?? this.#held.get(path) ?? 'disk';
          const problem = { file: path, line: 1, column: 1, severity: 'error', message } as const;
          return new Promise((resolve, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
            this.#pending.push(() => resolve({ file: path, problems: [problem], doubts: [] }));
          });
        },
      },
    });
  }
}

function hold(texts: Map<string, string>, path: string, text: string | null): void {
  texts.delete(path);
  if (text !== null) texts.set(path, text);
}

function isCall(result: unknown): boolean {
  return typeof result === 'object' && result !== null;
}

function readArgs(args: unknown): { readonly nonce: number; readonly texts: unknown } {
  const read =
    typeof args === 'object' && args !== null ? { nonce: -1, texts: undefined, ...args } : undefined;
  if (!read) throw new Error('There are arguments.');
  return read;
}

function expectAnswer(answer: Told | undefined, { result, error, isCancelled }: Expected): void {
  if (answer?.error) expect(isCancelled ? [-32800, error] : [error]).toContain(answer.error.code);
  else if (Array.isArray(result)) expect(answer).toMatchObject({ result });
  else expect(answer?.result).toEqual(result);
}
