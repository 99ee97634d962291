import { expect, it } from 'vitest';
import { coalesce, type InFlight } from '../../../../src/backends/lsp/asking/coalesce.ts';
import type { Reply } from '../../../../src/core/backend.ts';
import { beginCall, type Call } from '../../../../src/core/call.ts';
import type { Doubt } from '../../../../src/core/doubts.ts';
import { LspanError } from '../../../../src/core/errors.ts';

it('RES-07: who asks the same at once waits for one answer', async () => {
  const server = new Server();
  const asked = [server.ask(), server.ask(), server.ask()];
  server.answer('alpha');
  expect(await Promise.all(asked)).toEqual([whole('alpha'), whole('alpha'), whole('alpha')]);
  expect(server.askings).toHaveLength(1);
});

it('RES-07: one who cancels hears so at once, and the others are still answered', async () => {
  const server = new Server();
  const leaving = new AbortController();
  const first = server.ask(callFor(60_000, leaving.signal));
  const others = [server.ask(), server.ask()];
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect(server.askings[0]?.call.signal.aborted).toBe(false);
  server.answer('alpha');
  expect(await Promise.all(others)).toEqual([whole('alpha'), whole('alpha')]);
});

it('RES-07: what is asked on the way to an answer is asked for the same one', async () => {
  const server = new Server();
  const asked = server.ask(beginCall({ time: 60_000, scope: 'one' }));
  expect(server.askings[0]?.call.scope).toBe('one');
  server.answer('alpha');
  await asked;
});

it('RES-07: the question is given up when the last has left, which hears what it ended in', async () => {
  const server = new Server();
  const leaving = [new AbortController(), new AbortController()];
  const asked = leaving.map(({ signal }) => server.ask(callFor(60_000, signal)));
  const left = Promise.allSettled(asked);
  for (const one of leaving) one.abort();
  expect(server.askings[0]?.call.signal.reason).toMatchObject({ code: 'cancelled' });
  server.fail(new LspanError('starting', 'It is still starting.'));
  expect(await left).toMatchObject([{ reason: { code: 'cancelled' } }, { reason: { code: 'starting' } }]);
});

it('who asks after it was given up asks anew', async () => {
  const server = new Server();
  const leaving = new AbortController();
  const first = server.ask(callFor(60_000, leaving.signal));
  leaving.abort();
  const second = server.ask();
  server.fail(new LspanError('cancelled', 'It was given up.'));
  server.answer('alpha', 1);
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect(await second).toEqual(whole('alpha'));
});

it('who can wait longer is not bound by the time of who asked first', async () => {
  const server = new Server();
  const short = server.ask(callFor(10));
  const long = server.ask(callFor(60_000));
  await expect(short).rejects.toMatchObject({ code: 'timed_out' });
  const [asking] = server.askings;
  expect(asking?.call.signal.aborted).toBe(false);
  expect(asking?.call.deadline).toBeGreaterThan(performance.now() + 30_000);
  server.answer('alpha');
  expect(await long).toEqual(whole('alpha'));
});

it('who can wait longer asks again where the answer is doubtful or came of too short a time', async () => {
  const server = new Server();
  const [short, long] = [server.ask(callFor(5_000)), server.ask(callFor(60_000))];
  server.answer('half', 0, [{ kind: 'indexing', server: 'fake', detail: 'It is loading.' }]);
  expect((await short).doubts).toHaveLength(1);
  await server.asked(2);
  server.answer('alpha', 1);
  expect(await long).toEqual(whole('alpha'));

  const [brief, patient] = [server.ask(callFor(5_000)), server.ask(callFor(60_000))];
  server.fail(new LspanError('timed_out', 'It took too long.'), 2);
  await expect(brief).rejects.toMatchObject({ code: 'timed_out' });
  await server.asked(4);
  server.answer('beta', 3);
  expect(await patient).toEqual(whole('beta'));
});

it('who can wait less asks alone', async () => {
  const server = new Server();
  const [long, short] = [server.ask(callFor(60_000)), server.ask(callFor(5_000))];
  expect(server.askings).toHaveLength(2);
  server.answer('alpha', 0);
  server.answer('alpha', 1);
  expect(await Promise.all([long, short])).toEqual([whole('alpha'), whole('alpha')]);
});

it('an error that is about the question is that of all who wait', async () => {
  const server = new Server();
  const asked = Promise.allSettled([server.ask(), server.ask()]);
  server.fail(new LspanError('not_supported', 'It does not answer that.'));
  expect(await asked).toMatchObject([
    { reason: { code: 'not_supported' } },
    { reason: { code: 'not_supported' } },
  ]);
  expect(server.askings).toHaveLength(1);
});

it('what is waited for is told to all, and to who comes later', async () => {
  const server = new Server();
  const told: string[] = [];
  const teller = (name: string) =>
    beginCall({ time: 60_000, report: (message) => void told.push(`${name}: ${message}`) });
  const first = server.ask(teller('first'));
  server.askings[0]?.call.report('loading');
  const second = server.ask(teller('second'));
  server.askings[0]?.call.report('answering');
  expect(told).toEqual(['first: loading', 'second: loading', 'first: answering', 'second: answering']);
  server.answer('alpha');
  await Promise.all([first, second]);
});

it('a call that has ended asks nothing', async () => {
  const server = new Server();
  await expect(server.ask(callFor(60_000, AbortSignal.abort()))).rejects.toMatchObject({ code: 'cancelled' });
  expect(server.askings).toEqual([]);
});

/** Somebody who answers when the test says so. */
class Server {
  readonly askings: {
    readonly call: Call;
    readonly resolve: (reply: Reply<string>) => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  readonly #flight: InFlight<string> = new Map();
  #noticed: () => void = () => {};

  ask(call: Call = callFor(60_000)): Promise<Reply<string>> {
    return coalesce(
      this.#flight,
      'key',
      call,
      (shared) =>
        new Promise((resolve, reject) => {
          this.askings.push({ call: shared, resolve, reject });
          this.#noticed();
        }),
    );
  }

  /** Resolves when it was asked so often. */
  async asked(times: number): Promise<void> {
    while (this.askings.length < times)
      await new Promise<void>((resolve) => {
        this.#noticed = resolve;
      });
  }

  answer(answer: string, nth = 0, doubts: readonly Doubt[] = []): void {
    this.askings[nth]?.resolve({ answer, doubts });
  }

  fail(error: unknown, nth = 0): void {
    this.askings[nth]?.reject(error);
  }
}

function whole(answer: string): Reply<string> {
  return { answer, doubts: [] };
}

function callFor(time: number, signal?: AbortSignal): Call {
  return beginCall({ time }, signal);
}
