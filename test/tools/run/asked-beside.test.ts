import { expect, it } from 'vitest';
import { beginCall } from '../../../src/core/call.ts';
import { LspanError } from '../../../src/core/errors.ts';
import { askedBeside } from '../../../src/tools/run/asked-beside.ts';

const call = beginCall({ time: 60_000 });
const unknown = 'Some of it is not known.';
const ask = (asking: Promise<number | undefined>) => askedBeside(asking, unknown, call);
const failed = (code: ConstructorParameters<typeof LspanError>[0]) =>
  Promise.reject(new LspanError(code, 'It went wrong.'));

it('a question beside the main one that is answered is no doubt', async () => {
  expect(await ask(Promise.resolve(3))).toEqual({ value: 3, doubts: [] });
});

it('one that was given up, or came too late, is a doubt about time', async () => {
  const late = { value: undefined, doubts: [{ kind: 'timed_out', detail: unknown }] };
  expect(await ask(Promise.resolve(undefined))).toEqual(late);
  expect(await ask(failed('timed_out'))).toEqual(late);
});

it('one that fails is a doubt about the server', async () => {
  const lost = { value: undefined, doubts: [{ kind: 'server_unavailable', detail: unknown }] };
  expect(await ask(failed('server_crashed'))).toEqual(lost);
});

it('one that no server supports is no doubt', async () => {
  expect(await ask(failed('not_supported'))).toEqual({ value: undefined, doubts: [] });
});

it('a fault of lspan itself, and the end of the call, are not hidden', async () => {
  await expect(ask(failed('internal'))).rejects.toMatchObject({ code: 'internal' });
  const leaving = new AbortController();
  const ended = beginCall({ time: 60_000 }, leaving.signal);
  leaving.abort(new LspanError('cancelled', 'The client gave up.'));
  await expect(askedBeside(failed('server_crashed'), unknown, ended)).rejects.toMatchObject({
    code: 'cancelled',
  });
});
