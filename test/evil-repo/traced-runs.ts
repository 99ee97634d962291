import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isComplete } from '../missing-programs.ts';

/** An attempt to run a program, as the kernel saw it. */
export interface Run {
  readonly file: string;
  /** Program and arguments, as strace writes them. */
  readonly words: string;
  readonly cwd: string;
  readonly succeeded: boolean;
}

/** The words before a program that have its runs written down. */
export function tracing(output: string): readonly string[] {
  return tracer('execve,execveat,chdir,fchdir,clone,clone3,fork,vfork', output);
}

/** The words before a program that have some calls of it and its children written down. */
export function tracer(calls: string, output: string): readonly string[] {
  // With the filter in the kernel, the program stops only for the calls that are meant.
  const quietly = ['-f', '--seccomp-bpf', '-qq', '-y', '-s', '300', '-e', 'signal=none'];
  return [strace(), ...quietly, '-e', `trace=${calls}`, '-o', output, '--'];
}

/** By its whole path: the program that is traced may have a PATH of its own. */
function strace(): string {
  const { stdout } = spawnSync('/bin/sh', ['-c', 'command -v strace'], { encoding: 'utf8' });
  return stdout.trim();
}

/** Why runs cannot be traced here; empty when they can. */
export function whyNotTraced(): string {
  if (process.platform !== 'linux') return 'strace is a tool of Linux';
  const program = strace();
  if (program === '') return isComplete ? '' : 'strace is not installed';
  const { status } = spawnSync(program, ['-f', '--seccomp-bpf', '-o', '/dev/null', '/bin/true']);
  return status === 0 ? '' : 'this system does not let processes be traced';
}

/** Reads what strace wrote: every attempt to run something, in which folder. */
export function readRuns(trace: string, start: string): Run[] {
  const lines = trace.split('\n').flatMap((line) => {
    const [, pid, call, rest = ''] = /^(\d+) +(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*)$/.exec(line) ?? [];
    return pid === undefined || call === undefined ? [] : [{ pid, call, rest }];
  });
  const parents = new Map(
    lines
      .filter(({ call }) => /^(clone3?|v?fork)$/.test(call))
      .flatMap(({ pid, rest }) => [...rest.matchAll(/= (\d+)$/g)].map(([, child = '']) => [child, pid])),
  );
  const folders = new Map<string, string>();
  const cwdOf = (pid: string): string => {
    const parent = parents.get(pid);
    const known = folders.get(pid) ?? (parent === undefined ? start : cwdOf(parent));
    folders.set(pid, known);
    return known;
  };
  return lines.flatMap(({ pid, call, rest }) => {
    const cwd = cwdOf(pid);
    const [, given] = /"((?:[^"\\]|\\.)*)"/.exec(rest) ?? [];
    const [, descriptor] = /^\d+<(.*?)>/.exec(rest) ?? [];
    if (call === 'chdir' && given !== undefined) folders.set(pid, path.resolve(cwd, given));
    if (call === 'fchdir' && descriptor !== undefined) folders.set(pid, descriptor);
    if (!call.startsWith('execve') || given === undefined) return [];
    return [{ file: path.resolve(cwd, given), words: rest, cwd, succeeded: !/= -1 /.test(rest) }];
  });
}
