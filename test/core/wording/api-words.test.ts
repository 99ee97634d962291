import { expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { doubtForHost, errorForHost } from '../../../src/core/wording/api-words.ts';

it.each([
  [
    'Call again: lspan starts the server anew. get_server_status shows what it last said.',
    'Call again: lspan starts the server anew. The state of the servers shows what it last said.',
  ],
  [
    'get_server_status tells the state of each server.',
    'The state of the servers tells what is wrong with each.',
  ],
  [
    'Call again; if it takes too long again, see get_server_status.',
    'Call again; if it takes too long again, see the state of the servers.',
  ],
  [
    'Name one in the user configuration under [[servers]], or search the text instead.',
    'Name one in the user configuration under [[servers]].',
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
