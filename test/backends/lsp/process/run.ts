import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A runner under observation. */
export interface Run {
  readonly child: ChildProcess;
  /** Resolves with the next fact that the runner says about a moment. */
  readonly said: (moment: string) => Promise<Record<string, unknown>>;
  readonly exited: Promise<unknown>;
  /** Resolves when no descendant of the runner is left: the watchdog, the servers, the servers' children. */
  readonly allGone: Promise<unknown>;
}

/** Above the gap from which Node lets descriptors through to every descendant: the pipe ends with the last of them. */
const leaking = 40;

/** Starts a command with a pipe that every descendant holds, whether it wants or not. */
export function run(file: string, args: readonly string[]): Run {
  const stdio = Array.from({ length: leaking + 1 }, (_, fd) =>
    fd < 3 || fd === leaking ? 'pipe' : 'ignore',
  );
  const child = spawn(file, args, { stdio, detached: true });
  const witness = readable([...child.stdio].at(leaking));
  witness.resume();
  child.stderr?.resume();
  return { child, said: listen(child), exited: once(child, 'exit'), allGone: once(witness, 'end') };
}

function listen(child: ChildProcess): Run['said'] {
  const facts: Record<string, unknown>[] = [];
  const lines = createInterface({ input: readable(child.stdout) });
  lines.on('line', (line) => facts.push(JSON.parse(line)));
  return async (moment) => {
    for (;;) {
      const fact = facts.find(({ at }) => at === moment);
      if (fact) return fact;
      await once(lines, 'line');
    }
  };
}

function readable(stream: unknown): Readable {
  if (stream !== null && typeof stream === 'object' && 'resume' in stream && 'read' in stream)
    return stream as Readable;
  throw new Error('not a readable pipe');
}
