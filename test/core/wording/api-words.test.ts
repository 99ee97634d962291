import { expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { doubtForHost, errorForHost } from '../../../src/core/wording/api-words.ts';

it.each([
  [
    'Call again: lspan restarts the server. get_server_status shows its last output.',
    'Call again: lspan restarts the server. The state of the servers shows its last output.',
  ],
  [
    'get_server_status shows the state of each server.',
    'The state of the servers shows what is wrong with each.',
  ],
  [
    'Call again; if it takes too long again, see get_server_status.',
    'Call again; if it takes too long again, see the state of the servers.',
  ],
  [
    'Add one under [[servers]] in the user configuration, or search the text instead.',
    'Add one under [[servers]] in the user configuration.',
  ],
])('advice names no tool: %s', (ours, theirs) => {
  const cause = new Error('why');
  const error = new LspanError('busy', 'It is busy.', {
    nextStep: ours,
    retryable: false,
    cause,
    candidates: [1],
  });
  const told = errorForHost(error);
  expect(told).toMatchObject({ code: 'busy', message: 'It is busy.', nextStep: theirs, retryable: false });
  expect(told).toMatchObject({ cause, candidates: [1] });
  expect(doubtForHost({ kind: 'indexing', detail: ours, server: 'fake', lasting: true })).toEqual({
    kind: 'indexing',
    detail: theirs,
    server: 'fake',
    lasting: true,
  });
});

it('an error that names no tool stays what it is, and what was not foreseen is one of ours', () => {
  const error = new LspanError('not_found', 'There is no file.');
  expect(errorForHost(error)).toBe(error);
  expect(errorForHost(new TypeError('x is undefined'))).toMatchObject({ code: 'internal' });
});
