import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';

/** A file that records the messages of lspan. */
export interface Trace {
  readonly write: (entry: object) => void;
  readonly close: () => void;
}

/**
 * Opens the trace: JSON lines, appended, readable by the user only, since messages may contain the text of files. It ends
 * quietly at its size limit or at the first failure, because a trace must not disturb what it observes.
 */
export function openTrace(file: string, log: Log): Trace {
  const descriptor = openPrivately(file);
  let size = fstatSync(descriptor).size;
  let open = true;
  const end = (why: string) => {
    open = false;
    closeSync(descriptor);
    if (why !== '') log('warn', 'trace_ended', { file, why });
  };
  return {
    write: (entry) => {
      if (!open) return;
      const line = `${JSON.stringify({ time: new Date(), ...entry })}\n`;
      size += Buffer.byteLength(line);
      const failure = size > limits.trace ? full : append(descriptor, line);
      if (failure !== undefined) end(failure);
    },
    close: () => {
      if (open) end('');
    },
  };
}

const full = `the file has reached ${limits.trace / 1024 / 1024} MiB`;

function openPrivately(file: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
    if (!fstatSync(descriptor).isFile()) {
      closeSync(descriptor);
      throw new Error('it is not a regular file');
    }
    fchmodSync(descriptor, 0o600);
    return descriptor;
  } catch (thrown) {
    throw new LspanError('invalid_input', `The trace file ${file} cannot be written: ${reasonFor(thrown)}.`, {
      nextStep: 'Give --trace the path of a new file in an existing folder.',
      cause: thrown,
    });
  }
}

function append(descriptor: number, line: string): string | undefined {
  try {
    writeSync(descriptor, line);
    return undefined;
  } catch (thrown) {
    return reasonFor(thrown);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link, and links are not followed',
  EISDIR: 'it is a folder',
  ENOENT: 'its folder does not exist',
  ENXIO: 'it is not a regular file',
};

function reasonFor(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  const code = 'code' in thrown ? String(thrown.code) : '';
  return reasons[code] ?? (code || thrown.message);
}
