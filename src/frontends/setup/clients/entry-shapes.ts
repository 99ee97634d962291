import type { ServerEntryShape } from './client.ts';

/** The form that most clients take. */
export const standard: ServerEntryShape = { program: 'command' };

/** The program and its arguments are one list. */
export const oneList: ServerEntryShape = {
  program: 'command',
  isOneList: true,
  own: { type: 'local' },
  initial: { enabled: true },
};
