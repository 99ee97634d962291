import { expect, it } from 'vitest';
import { expectError, openTestBridge, type TestBridge } from '../../../test-bridge.ts';

function signing(text: string, answer?: unknown): Promise<TestBridge> {
  const rules = [{ on: { method: 'textDocument/signatureHelp' }, do: [{ replyValue: answer }] }];
  const life = answer === undefined ? {} : { rules };
  return openTestBridge({
    files: { 'a.txt': text },
    servers: { fake: { lives: [life], ready: { kind: 'immediate' } } },
  });
}

const at = (line: number, character: number) => ({ file_path: 'a.txt', line, character });

it('the active parameter is marked in the signature', async () => {
  const bridge = await signing('call(1, 2)\n');
  const outcome = await bridge.call('get_signature_help', at(1, 9));
  expect(outcome.text).toBe('call(one, «two»)');
  expect(outcome.data).toMatchObject({
    complete: true,
    signatures: [{ label: 'call(one, «two»)', parameters: ['one', 'two'], active_parameter: 1 }],
  });
});

it.each([
  ['call(1)', 2, 6],
  ['call(1)', 5, 6],
  ['new call <Map<a, (b) => c>>(1)', 7, 29],
  ['call::<u8>(1)', 1, 12],
  ['call?.(1)', 1, 8],
])('the name of a call stands for the place in it: %s', async (text, character, inside) => {
  const bridge = await signing(text, { signatures: [{ label: 'call()' }] });
  const outcome = await bridge.call('get_signature_help', at(1, character));
  expect(outcome.data.adjusted).toBe(`the arguments of "call" at 1:${inside}`);
  const [asked] = bridge.received().filter(({ method }) => method === 'textDocument/signatureHelp');
  expect(asked?.params).toMatchObject({ position: { line: 0, character: inside - 1 } });
});

it('where nothing is called, that is said with the next step', async () => {
  const bridge = await signing('nothing here', null);
  expectError(
    await bridge.call('get_signature_help', at(1, 2)),
    'not_found',
    /There is no call at a.txt:1:2/,
  );
});

it.each([
  // Offsets count UTF-16 units, whatever positions count in.
  [
    { label: '😀(é, b)', parameters: [{ label: [3, 4] }, { label: [6, 7] }], activeParameter: 1 },
    '😀(é, «b»)',
  ],
  [{ label: 'a(b, a)', parameters: [{ label: 'b' }, { label: 'a' }], activeParameter: 1 }, 'a(b, «a»)'],
  [{ label: 'add(dad, ad)', parameters: [{ label: 'ad' }] }, 'add(dad, «ad»)'],
  [{ label: 'a(b)', parameters: [{ label: 'b' }], activeParameter: null }, 'a(b)'],
  [{ label: 'a(b)', parameters: [{ label: 'b' }], activeParameter: 4 }, 'a(b)'],
  [{ label: 'a(b)', parameters: [{ label: [9, 2] }, 5, null] }, 'a(b)'],
  [{ label: 'a(b)' }, 'a(b)'],
])('the active parameter of %j is read as %s', async (signature, marked) => {
  const bridge = await signing('f( )', { signatures: [signature], activeParameter: 0 });
  expect((await bridge.call('get_signature_help', at(1, 3))).text).toBe(marked);
});

it('the signature that fits comes first, with what is told of it and of the parameter', async () => {
  const parameters = [{ label: 'b', documentation: 'The [second](command:x).' }];
  const bridge = await signing('f( )', {
    signatures: [{ label: 'f(a)' }, 5, { label: 'f(b)', parameters, documentation: 'Does it.' }],
    activeSignature: 1,
  });
  const { text } = await bridge.call('get_signature_help', at(1, 3));
  expect(text).toBe('f(«b»)\n  parameter: The [second](#command:x).\n  Does it.\nf(a)');
});

it.each([[{ signatures: 'x' }], [{ signatures: [{}] }], [[1]]])(
  'what cannot be read as signatures is not taken for nothing: %j',
  async (answer) => {
    const bridge = await signing('f( )', answer);
    expectError(await bridge.call('get_signature_help', at(1, 3)), 'server_unverified', /could not be read/);
  },
);
