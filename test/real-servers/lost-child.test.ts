import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge, type TraceEntry } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { sendSignal } from '../../src/platform/processes/signal.ts';
import type { Outcome } from '../../src/tools/run/tool.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

const typescript = {
  files: {
    'tsconfig.json': '{}',
    'a.ts': 'export const shared = 1;\n',
    'b.ts':
      "import { shared } from './a';\nexport const used = shared;\nexport const wrong: string = shared;\n",
  },
  names: ['a.ts', 'b.ts'],
  place: { line: 2, character: 21 },
} as const;

const python = {
  files: {
    'a.py': 'shared = 1\n',
    'b.py': 'from a import shared\nused = shared\nwrong: str = shared\n',
  },
  names: ['a.py', 'b.py'],
  place: { line: 2, character: 8 },
} as const;

/** The servers, each with those that stand back and the process that its answers come from. */
const servers = {
  'typescript-language-server': { ...typescript, others: ['typescript', 'vtsls'], process: /tsserver\.js/ },
  typescript: { ...typescript, others: ['typescript-language-server', 'vtsls'], process: /lib\/tsc\0/ },
  pyright: { ...python, others: ['basedpyright', 'pylsp'], process: /langserver\.index\.js/ },
};
type Server = keyof typeof servers;

interface Question {
  readonly tool: string;
  readonly input: object;
  /** What the right answer holds. */
  readonly right: object;
  /** The message that asks the server. */
  readonly method: RegExp;
}

function questionsTo(server: Server): readonly Question[] {
  const { place, names } = servers[server];
  const [a, b] = names;
  const at = { file_path: b, ...place };
  const shared = { symbols: [{ name: 'shared' }] };
  return [
    { tool: 'find_references', input: at, right: { total: 4 }, method: /\/references$/ },
    {
      tool: 'find_definition',
      input: at,
      right: { definitions: [{ file_path: a, line: 1 }] },
      method: /\/definition$/,
    },
    { tool: 'get_document_symbols', input: { file_path: a }, right: shared, method: /\/documentSymbol$/ },
    {
      tool: 'get_diagnostics',
      input: { file_path: b, min_severity: 'error' },
      right: { total: 1, diagnostics: [{ line: 3 }] },
      method: /\/diagnostic$|\/executeCommand$/,
    },
    { tool: 'search_workspace_symbols', input: { query: 'shared' }, right: shared, method: /\/symbol$/ },
  ];
}

/** The moments, each with what a server that starts slowly is asked: every question at one of them. */
const moments = [
  { moment: 'between two calls', few: [1, 2, 4] },
  { moment: 'during a call', few: [0, 3] },
];
/** Not all in one: a server that dies too often is not started again for a while. */
const all = [
  [0, 1, 2],
  [3, 4],
];
/** A campaign kills more often, and asks each server everything at each moment. */
const rounds = Number(process.env.LSPAN_KILL_ROUNDS ?? 1);
const killings = Object.keys(servers).flatMap((server) =>
  moments.flatMap(({ moment, few }) => {
    const parts = server === 'typescript' || rounds > 1 ? all : [few];
    return parts.map((asked, index) => ({ server, moment, part: index + 1, asked }));
  }),
);

describe.skipIf(process.platform !== 'linux')('PRO-29 a server whose process is killed', () => {
  it.each(killings)(
    '$server, $moment: every answer is right or an error that names it, and the next one is right (part $part)',
    async ({ server, moment, asked }) => {
      if (!isServer(server)) throw new Error(server);
      for (let round = 0; round < rounds; round += 1) {
        const scene = await openOn(server);
        for (const question of questionsTo(server).filter((_, index) => asked.includes(index)))
          await expectSurvived(scene, question, moment === 'during a call');
        await scene.bridge.close({ hurried: true });
      }
    },
    120_000 * rounds,
  );
});

it.skipIf(process.platform !== 'linux')(
  'PRO-28 typescript-language-server whose tsserver is killed while it loads is not taken for loaded',
  async () => {
    const scene = await openOn('typescript-language-server');
    const [references] = questionsTo('typescript-language-server');
    if (!references) throw new Error('No question.');
    scene.killAt((message) => /"method":"\$\/progress".*"kind":"begin"/.test(message));
    expectRightOrNamed(await ask(scene, references), references, 'typescript-language-server');
    expect(scene.killed()).toBe(1);
    expect((await ask(scene, references)).data).toMatchObject({ complete: true, ...references.right });
  },
  120_000,
);

interface Scene {
  readonly server: Server;
  readonly bridge: Bridge;
  /** Changes the files a little, so that nothing is answered from memory. */
  touch(): void;
  kill(): void;
  /** Kills once, as soon as such a message goes or comes. */
  killAt(isMoment: (message: string) => boolean): void;
  killed(): number;
}

async function openOn(server: Server): Promise<Scene> {
  const { files, names, others, process: isIt } = servers[server];
  const root = temporaryFolder(files);
  let isMoment: ((message: string) => boolean) | undefined;
  let killed = 0;
  const kill = () => {
    // Several in a sandbox, which end together.
    for (const pid of ourProcesses(isIt)) sendSignal(pid, 'SIGKILL');
    killed += 1;
  };
  const trace = ({ message }: TraceEntry) => {
    if (!isMoment?.(JSON.stringify(message))) return;
    isMoment = undefined;
    kill();
  };
  const overrides = { ...patient, disabledServers: others };
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides, trace });
  onTestFinished(() => bridge.close({ hurried: true }));
  return {
    server,
    bridge,
    touch: () => {
      for (const name of names) appendFileSync(path.join(root, name), '\n');
    },
    kill,
    killAt: (meant) => {
      isMoment = meant;
    },
    killed: () => killed,
  };
}

async function expectSurvived(scene: Scene, question: Question, during: boolean): Promise<void> {
  const before = scene.killed();
  expect((await ask(scene, question)).data).toMatchObject({ complete: true, ...question.right });
  scene.touch();
  if (during) scene.killAt((message) => question.method.test(JSON.parse(message).method));
  else scene.kill();
  let errors = 0;
  for (let call = 1; call <= 2; call += 1) {
    const outcome = await ask(scene, question);
    expectRightOrNamed(outcome, question, scene.server);
    errors += outcome.isError ? 1 : 0;
  }
  expect(scene.killed()).toBe(before + 1);
  expect(errors).toBeLessThanOrEqual(1);
  expect((await ask(scene, question)).data).toMatchObject({ complete: true, ...question.right });
}

function ask({ bridge }: Scene, { tool, input }: Question): Promise<Outcome> {
  return bridge.call(tool, input);
}

/** Never nothing: that would be believed. */
function expectRightOrNamed({ data, text, isError }: Outcome, { right }: Question, server: string): void {
  if (isError) expect(text).toContain(server);
  else expect(data).toMatchObject(right);
}

function isServer(name: string): name is Server {
  return Object.hasOwn(servers, name);
}

/** The processes below this one that run such a program. */
function ourProcesses(program: RegExp): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  const found = all.filter((pid) => isOurs(pid) && program.test(read(`/proc/${pid}/cmdline`)));
  if (found.length === 0) throw new Error('It does not run.');
  return found;
}

function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Processes end while they are looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
