import type { CallFate } from '../../../bridge.ts';
import { LspanError } from '../../../core/errors.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';

/** Returns what is said of a call that was to change files, and whose answer was lost. `died` says what ended, as a clause. */
export function lostEdit(tool: string, fate: CallFate, died: string): LspanError {
  switch (fate.state) {
    case 'done': {
      const ids = fate.edits.map(({ id }) => id).join(', ');
      return new LspanError('already_applied', `${died} after ${tool} had changed the files: ${ids}.`, {
        nextStep: 'Do not call again. Check with get_diagnostics; undo_edit takes it back.',
      });
    }
    case 'taken_back':
      return notDone(`${died} while ${tool} changed files. All of it was taken back: no file is changed.`);
    case 'kept':
      return new LspanError(
        'stale',
        `${died} while ${tool} changed files, of which others have changed too.`,
        {
          nextStep:
            'The rest was taken back. get_server_status names the files: look at them, then call again.',
        },
      );
    case 'unfinished': {
      const roots = fate.roots.map((root) => quotePath(root)).join(', ');
      return new LspanError('stale', `${died} while ${tool} changed files of ${roots}.`, {
        nextStep: 'The next call there takes back what was begun. Ask something there, then call again.',
      });
    }
    case 'not_done':
      return notDone(`${died} before ${tool} changed anything.`);
  }
}

/** Returns what is said if it cannot be known what became of a call. */
export function notKnown(tool: string, died: string): LspanError {
  return new LspanError('stale', `${died} while ${tool} ran, and what became of it is not known.`, {
    nextStep: 'Look at the files, or run lspan edits, before you call again.',
  });
}

function notDone(message: string): LspanError {
  return new LspanError('server_crashed', message, { nextStep: 'Call again.' });
}
