import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type FakeScript, writeScript } from './fake-server/script.ts';
import { temporaryFolder } from './test-bridge.ts';

/** How the built program is served for a test. */
export interface ServedSetting {
  readonly script?: FakeScript;
  /** Shell words before the fake server. */
  readonly before?: string;
  /** More of the entry of the fake server in the configuration. */
  readonly server?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  /** Words before the program that become it in the end. */
  readonly through?: readonly string[];
  /** Words before the program that start it and stay. */
  readonly tracer?: readonly string[];
}

/** The built program as it is served over HTTP, over a small project with a fake server. */
export interface ServedLspan {
  readonly url: string;
  readonly root: string;
  readonly token: string;
  /** Where its user's own files are: configuration, state, trace. */
  readonly own: string;
  readonly temporary: string;
  /** Everything that it wrote, by where: its outputs, and every file but the one of the tokens. */
  written(): Readonly<Record<string, string>>;
  /** Ends it as a user does; gives its exit code. */
  end(): Promise<number | null>;
}

/** Serves it on a free port, and waits until it says where. */
export async function serveLspan(setting: ServedSetting = {}): Promise<ServedLspan> {
  const world = temporaryFolder('lspan-served-');
  const [root, own, temporary] = ['work', 'own', 'tmp'].map((name) => path.join(world, name));
  if (!root || !own || !temporary) throw new Error('no folders');
  for (const folder of [root, own, temporary]) mkdirSync(folder);
  writeFileSync(path.join(root, 'a.txt'), 'function alpha\n');
  writeFileSync(path.join(root, 'b.txt'), 'alpha\n');
  const config = writeConfig(own, setting);
  const flags = ['--port', '0', '--workspace', root, '--config', config, '--log-level', 'debug'];
  const trace = path.join(own, 'trace.jsonl');
  const more = setting.flags ?? [];
  const words = [
    ...(setting.tracer ?? []),
    process.execPath,
    bin,
    'serve',
    ...flags,
    '--trace',
    trace,
    ...more,
  ];
  const [program = '', ...args] = words;
  const state = path.join(own, 'state');
  const env = {
    PATH: process.env.PATH,
    HOME: own,
    TMPDIR: temporary,
    XDG_STATE_HOME: state,
    ...setting.environment,
  };
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
  const exited = once(child, 'exit');
  const ownPid = () => (setting.tracer ? childOf(child.pid) : child.pid);
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // Whoever a killed tracer leaves behind would go on for ever.
    const pid = ownPid();
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await exited;
  });
  const outputs = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk) => {
    outputs.stderr += String(chunk);
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      outputs.stdout += String(chunk);
      const [found] = /http:\S+/.exec(outputs.stdout) ?? [];
      if (found !== undefined && outputs.stdout.endsWith('\n')) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`lspan serve has ended: ${code}\n${outputs.stderr}`)));
  });
  const tokenFile = path.join(state, 'lspan', 'token');
  return {
    url,
    root,
    own,
    temporary,
    token: readFileSync(tokenFile, 'utf8').trim(),
    written: () => ({ ...outputs, ...filesIn(own, [tokenFile, config]), ...filesIn(temporary) }),
    end: async () => {
      const pid = ownPid();
      if (pid !== undefined) process.kill(pid, 'SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

const bin = path.resolve(import.meta.dirname, '../dist/bin.js');

function writeConfig(folder: string, { script = {}, before = '', server = {} }: ServedSetting): string {
  const { command, args, entry, dispose } = writeScript(script);
  onTestFinished(dispose);
  const words = ['/bin/sh', '-c', `${before}\nexec "$@"`, 'sh', command, ...args];
  const file = path.join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ servers: [{ ...entry, command: words, ...server }] }));
  return file;
}

/** The program behind a tracer, which must not be what is ended. */
function childOf(pid = 0): number | undefined {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return child ? Number(child) : undefined;
}

function filesIn(folder: string, but: readonly string[] = []): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const files = entries
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !but.includes(file));
  return Object.fromEntries(files.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]));
}
