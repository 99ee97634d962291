import path from 'node:path';
import { writingCalls } from '../../evil-repo/traced-writes.ts';

/** A call of a traced process that runs a program, names an address of the network, or changes the disk. */
export interface TracedCall {
  readonly kind: 'run' | 'connection' | 'write';
  readonly call: string;
  /** The paths that it names, absolute; links are not followed. */
  readonly paths: readonly string[];
  /** Its arguments, as strace writes them. */
  readonly words: string;
  /** The name of its error; empty if it succeeded. */
  readonly failure: string;
  /** The program that made it. */
  readonly program: string;
  /** True if the process that was traced first made it, in any of its threads. */
  readonly isFirst: boolean;
}

/** The calls that `readTrace` reads; the question mark lets strace skip those that a platform lacks. */
export const tracedCalls: string = [
  ...['execve', 'execveat', 'chdir', 'fchdir', 'clone', 'clone3', 'fork', 'vfork'],
  ...['connect', 'sendto', 'sendmsg', 'sendmmsg', 'bind'],
  ...writingCalls,
]
  .map((call) => `?${call}`)
  .join();

/** Reads what `strace -f -y -o` wrote of a program that was started in the folder `start`. */
export function readTrace(trace: string, start: string): readonly TracedCall[] {
  const lines = joinedLines(trace);
  const processes = new Processes(lines, start);
  return lines.flatMap((line) => {
    const kind = kindOf(line);
    const paths =
      kind === undefined || kind === 'connection' ? [] : pathsIn(line, processes.folderOf(line.pid));
    const failure = /= -1 (\w+)/.exec(line.result)?.[1] ?? '';
    const { program, isFirst } = processes.factsOf(line.pid);
    processes.follow(line, failure === '');
    if (kind === undefined) return [];
    return [{ kind, call: line.call, paths, words: line.words, failure, program, isFirst }];
  });
}

interface Line {
  readonly pid: string;
  readonly call: string;
  readonly words: string;
  readonly result: string;
}

/** Joins a call that was interrupted by others with its end. */
function joinedLines(trace: string): readonly Line[] {
  const begun = new Map<string, string>();
  return trace.split('\n').flatMap((line) => {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, beginning] = /^(.*) <unfinished \.\.\.>$/.exec(rest) ?? [];
    if (beginning !== undefined) {
      begun.set(pid, beginning);
      return [];
    }
    const [, ending] = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest) ?? [];
    const whole = ending === undefined ? rest : `${begun.get(pid) ?? ''}${ending}`;
    const [, call, words = '', result = ''] = /^(\w+)\((.*)\) += (.*)$/.exec(whole) ?? [];
    return call === undefined ? [] : [{ pid, call, words, result: `= ${result}` }];
  });
}

function kindOf({ call, words }: Line): TracedCall['kind'] | undefined {
  if (call.startsWith('execve')) return 'run';
  if (/\bsa_family=AF_INET6?\b/.test(words)) return 'connection';
  if (!writingCalls.includes(call)) return undefined;
  const onlyReads = call.startsWith('open') && !/\bO_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)\b/.test(words);
  return onlyReads ? undefined : 'write';
}

/** Descriptors are written with what they stand for; a path after one begins there, and else it is meant itself. */
function pathsIn({ call, words }: Line, folder: string): readonly string[] {
  if (call === 'execve') return [path.resolve(folder, /"((?:[^"\\]|\\.)*)"/.exec(words)?.[1] ?? '')];
  // The text of a link is no path that is changed.
  const given = call.startsWith('symlink') ? words.replace(/^"(?:[^"\\]|\\.)*", /, '') : words;
  let base = folder;
  const named = [...given.matchAll(/(?:\d+|AT_FDCWD)<([^>]*)>|"((?:[^"\\]|\\.)*)"/g)].flatMap(
    ([, descriptor, name]) => {
      base = descriptor ?? base;
      return name === undefined ? [] : [path.resolve(base, name)];
    },
  );
  return named.length > 0 ? named : [base];
}

interface ProcessFacts {
  readonly program: string;
  readonly isFirst: boolean;
}

/** Who started whom, in which folder each process is, and which program it has become. */
class Processes {
  /** By the number of a process or thread: who made it, and whether it is a thread of that one. */
  readonly #makers = new Map<string, { readonly pid: string; readonly isThread: boolean }>();
  readonly #folders = new Map<string, string>();
  readonly #programs = new Map<string, string>();
  readonly #first: string;
  readonly #start: string;

  constructor(lines: readonly Line[], start: string) {
    this.#first = lines[0]?.pid ?? '';
    this.#start = start;
    for (const { pid, call, words, result } of lines.filter((line) => /^(clone3?|v?fork)$/.test(line.call))) {
      // In a namespace of its own, a child has another number there than here.
      const [, there, here] = /^= (\d+)(?: \/\* (\d+) in strace's PID NS \*\/)?/.exec(result) ?? [];
      const child = here ?? there;
      if (child !== undefined)
        this.#makers.set(child, { pid, isThread: call !== 'vfork' && /CLONE_THREAD/.test(words) });
    }
  }

  factsOf(pid: string): ProcessFacts {
    const owner = this.#ownerOf(pid);
    return { program: this.#programOf(owner), isFirst: owner === this.#first };
  }

  folderOf(pid: string): string {
    const known = this.#folders.get(pid);
    if (known !== undefined) return known;
    const maker = this.#makers.get(pid);
    const folder = maker === undefined ? this.#start : this.folderOf(maker.pid);
    this.#folders.set(pid, folder);
    return folder;
  }

  /** Takes note of a call by which a process changes its folder or its program. */
  follow({ pid, call, words }: Line, succeeded: boolean): void {
    if (!succeeded) return;
    const [, given] = /"((?:[^"\\]|\\.)*)"/.exec(words) ?? [];
    const [, descriptor] = /^\d+<(.*?)>/.exec(words) ?? [];
    if (call === 'chdir' && given !== undefined)
      this.#folders.set(pid, path.resolve(this.folderOf(pid), given));
    if (call === 'fchdir' && descriptor !== undefined) this.#folders.set(pid, descriptor);
    if (call === 'execve' && given !== undefined)
      this.#programs.set(this.#ownerOf(pid), path.resolve(this.folderOf(pid), given));
  }

  /** The process to which a thread belongs. */
  #ownerOf(pid: string): string {
    const maker = this.#makers.get(pid);
    return maker?.isThread ? this.#ownerOf(maker.pid) : pid;
  }

  /** A process has the program of its maker until it runs another; a known answer is kept, since the maker may change. */
  #programOf(owner: string): string {
    const known = this.#programs.get(owner);
    if (known !== undefined) return known;
    const maker = this.#makers.get(owner);
    const program = maker === undefined ? '' : this.#programOf(this.#ownerOf(maker.pid));
    this.#programs.set(owner, program);
    return program;
  }
}
