import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPathWithin } from '../../src/platform/files/path-within.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { type BuiltLspan, openBuilt, questionsAbout } from './built-lspan.ts';
import { type Run, readRuns, tracer } from './traced-runs.ts';
import { readWrites, writingCalls } from './traced-writes.ts';

/** A repository with a single trap, and the servers that meet it. */
export interface TrappedRepository {
  /** By path in the repository; what begins with `#!` is made executable. `<outside>` is a folder beside the repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly servers: readonly string[];
  /** The files about which every tool is asked; each has the word `greet`. */
  readonly asked: readonly string[];
  /** Asks more, or makes what a text cannot, such as a link, before anything is asked. */
  readonly prepare?: (root: string, outside: string) => void;
  readonly also?: (lspan: BuiltLspan, root: string) => Promise<void>;
  readonly flags?: readonly string[];
}

/** What the kernel saw of lspan and all servers while the repository was asked about. */
export interface Seen {
  readonly root: string;
  /** A folder beside the repository, which nothing may touch. */
  readonly outside: string;
  /** Programs that were run, without lspan itself. */
  readonly runs: readonly Run[];
  /** Calls that name an address of the network. */
  readonly connections: readonly string[];
  /** Paths that were written, apart from the cache, the temporary folder and devices. */
  readonly writes: readonly string[];
  /** The paths that were opened or tried, as the trace writes them. */
  readonly opened: readonly string[];
  /** All answers, as the model would read them. */
  readonly answers: string;
}

/** Asks the built lspan everything about a repository, and returns what the kernel saw. */
export async function traceRepository(trapped: TrappedRepository): Promise<Seen> {
  const folder = realpathSync(temporaryFolder());
  const made = (name: string) => {
    mkdirSync(path.join(folder, name));
    return path.join(folder, name);
  };
  const [root, outside] = [made('repo'), made('outside')];
  const [home, temporary] = [made('home'), made('tmp')];
  for (const [name, text] of Object.entries(trapped.files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll('<outside>', outside).replaceAll('<root>', root));
    if (text.startsWith('#!')) chmodSync(file, 0o755);
  }
  trapped.prepare?.(root, outside);
  const output = path.join(folder, 'trace');
  const calls = ['execve', 'execveat', 'chdir', 'fchdir', 'clone', 'clone3', 'fork', 'vfork', 'connect'];
  const lspan = await openBuilt({
    root,
    servers: trapped.servers,
    // What definitions turn off must not depend on a sandbox, which would hide that they do not.
    confine: 'never',
    deadline: 30,
    before: tracer(
      [...calls, 'sendto', 'sendmsg', 'sendmmsg', ...writingCalls].map((call) => `?${call}`).join(),
      output,
    ),
    environment: {
      HOME: home,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TMPDIR: temporary,
      XDG_STATE_HOME: path.join(home, 'state'),
      XDG_CACHE_HOME: path.join(temporary, 'cache'),
    },
    ...(trapped.flags ? { flags: trapped.flags } : {}),
  });
  const offered = await lspan.tools();
  const answers: string[] = [];
  for (const file of trapped.asked) {
    const questions = questionsAbout(file, readFileSync(path.join(root, file), 'utf8'));
    for (const { tool, input } of questions.filter((one) => offered.includes(one.tool))) {
      answers.push((await lspan.call(tool, input)).text);
    }
  }
  await trapped.also?.(lspan, root);
  await lspan.close();
  const trace = readFileSync(output, 'utf8');
  const [, ...runs] = readRuns(trace, root);
  const isOwn = (file: string) =>
    isPathWithin(temporary, file) ||
    isPathWithin(path.join(home, 'state'), file) ||
    /^\/(dev|proc)\//.test(file) ||
    /\/lspan-built-/.test(file) ||
    // The servers' own temporary folders, whose paths must be short.
    /^\/tmp\/lspan(-[0-9a-z]+){3}-\w{6}(\/|$)/.test(file);
  return {
    root,
    outside,
    runs,
    connections: trace.split('\n').filter((line) => /AF_INET6?\b/.test(line)),
    writes: readWrites(trace, root)
      .flatMap(({ paths }) => paths)
      .filter((file) => !isOwn(file)),
    opened: trace.split('\n').flatMap((line) => / open(?:at2?)?\([^"]*"([^"]*)"/.exec(line)?.[1] ?? []),
    answers: answers.join('\n'),
  };
}
