import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import { servers } from '../../src/servers/index.ts';
import { confineInTests } from '../confined.ts';
import { writeScript } from '../fake-server/script.ts';
import { missingPrograms } from '../missing-programs.ts';
import { patient } from '../patient.ts';
import { type Golden, readArchive, type Scenario, writeAnswers } from './archive.ts';

const folder = import.meta.dirname;
const update = process.env.UPDATE_GOLDEN === '1';
const cleaning: (() => void | Promise<void>)[] = [];

/** Declares the tests of every so many of the scenarios, so that several workers share them: as many as there are such files. */
export function playScenarios(part: number): void {
  const files = readdirSync(folder).sort();
  const parts = files.filter((file) => file.endsWith('.test.ts')).length;
  if (part > parts) throw new Error(`There are only ${parts} parts; number them from 1.`);
  afterEach(async () => {
    for (const clean of cleaning.splice(0).reverse()) await clean();
  });
  files
    .filter((file) => file.endsWith('.scenario'))
    .filter((_, index) => index % parts === part - 1)
    .forEach(declare);
}

function declare(name: string): void {
  const file = path.join(folder, name);
  const scenario = readArchive(readFileSync(file, 'utf8'));
  describe(scenario.sentence, () => {
    for (const server of scenario.servers) {
      const missing = missingPrograms(server);
      const title = `${name} on ${server}${missing === '' ? '' : ` (skipped: ${missing})`}`;
      it.skipIf(missing !== '')(title, { timeout: 240_000 }, async ({ onTestFailed, signal }) => {
        const events = new LastEvents();
        onTestFailed(() => {
          if (signal.aborted) process.stderr.write(`${title} did not end. What happened last:\n${events}\n`);
        });
        const answers = await playUnhurt(scenario, server, events);
        if (update) writeFileSync(file, writeAnswers(readFileSync(file, 'utf8'), server, answers));
        const golden = readArchive(readFileSync(file, 'utf8'), server);
        const calls = golden.steps.flatMap((step) => (step.kind === 'call' ? [step.golden] : []));
        for (const [index, expected] of calls.entries()) {
          expect(answers[index]?.text).toBe(expected.text);
          if (expected.data !== undefined) expect(answers[index]?.data).toEqual(expected.data);
        }
      });
    }
  });
}

/**
 * Plays a scenario, anew where a server that is known for it crashed by itself: lspan says so, and what the scenario is
 * about was not seen.
 */
async function playUnhurt(scenario: Scenario, server: string, events: LastEvents): Promise<Golden[]> {
  for (let plays = 1; ; plays += 1) {
    const answers = await play(scenario, server, events);
    const isHurt = answers.some(({ text }) => text.includes('(server_restarted)'));
    if (!isHurt || !crashing.has(server) || plays === mostPlays) return answers;
  }
}

/** The last calls and messages of a scenario, for the case that it waits for something that never comes. */
class LastEvents {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(`${new Date().toISOString()} ${line.slice(0, shown)}`);
    if (this.#lines.length > kept) this.#lines.shift();
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}

const shown = 300;
const kept = 120;

/** ccls fails an assertion in one of a hundred starts on a busy machine, whoever asks it. */
const crashing: ReadonlySet<string> = new Set(['ccls']);
const mostPlays = 4;

/** Plays a scenario on one server, and collects what the calls answered. */
async function play(scenario: Scenario, server: string, events: LastEvents): Promise<Golden[]> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-scenario-')));
  cleaning.push(() => rmSync(root, { recursive: true, force: true }));
  const answers: Golden[] = [];
  let bridge: Bridge | undefined;
  const tokens = new Map<string, string>();
  for (const step of scenario.steps) {
    if (step.kind === 'write') {
      mkdirSync(path.dirname(path.join(root, step.path)), { recursive: true });
      writeFileSync(path.join(root, step.path), step.text.replaceAll('<root>', root));
    }
    if (step.kind === 'delete') rmSync(path.join(root, step.path), { recursive: true });
    if (step.kind === 'install') install(root, step.name);
    if (step.kind === 'call') {
      bridge ??= await open(root, server, scenario, events);
      const input: unknown = JSON.parse(
        JSON.stringify(step.input).replace(
          /<(since|plan|edit|action [^<>]+)>/g,
          (named) => tokens.get(named) ?? named,
        ),
      );
      events.add(`call ${step.tool} ${JSON.stringify(input)}`);
      const { text, data } = await bridge.call(step.tool, input);
      remember(tokens, JSON.stringify(data));
      answers.push(JSON.parse(steady(JSON.stringify({ text, data }), root)));
    }
  }
  return answers;
}

/** Takes note of what an answer gives for the next call. */
function remember(tokens: Map<string, string>, data: string): void {
  for (const [named, pattern] of given) {
    const token = pattern.exec(data)?.[1];
    if (token !== undefined) tokens.set(named, token);
  }
  for (const [, id = '', title] of data.matchAll(offered)) tokens.set(`<action ${title}>`, id);
}

/** What an answer gives for the next call. */
const given = [
  ['<since>', /"since":"(\w+)"/],
  ['<plan>', /"plan_id":"([\w-]+)"/],
  ['<edit>', /"edit_id":"([\w-]+)"/],
] as const;

/** Actions are meant by their titles. */
const offered = /"action_id":"([\w-]+)","title":"((?:[^"\\]|\\.)*)"/g;

/** Go's compiled standard library is the same for every scenario, and takes long to make. */
const { GOCACHE = path.join(homedir(), '.cache', 'go-build') } = process.env;

/** Puts a package of lspan's own development where the project's packages are. */
function install(root: string, name: string): void {
  const place = path.join(root, 'node_modules', name);
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.resolve(folder, '../../node_modules', name), place);
}

async function open(
  root: string,
  server: string,
  { trusted, surface }: Scenario,
  events: LastEvents,
): Promise<Bridge> {
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-state-')));
  cleaning.push(() => rmSync(state, { recursive: true, force: true }));
  const common = {
    log: silent,
    overrides: { ...overrides(server), confine: confineInTests },
    environment: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: state, GOCACHE },
  };
  if (trusted) writeTrustOf(offerTrust({ ...common, root }), common.environment);
  const bridge = await openBridge({
    ...common,
    roots: [root],
    surface,
    trace: (entry) => events.add(`${entry.server} ${entry.direction} ${JSON.stringify(entry.message)}`),
  });
  cleaning.push(() => bridge.close());
  return bridge;
}

/** Only the servers that are meant, joined by `+`, so that a scenario proves those. */
function overrides(server: string) {
  if (server === 'fake') {
    const { command, args, dispose } = writeScript();
    cleaning.push(dispose);
    const extensions = ['ts', 'py', 'txt'];
    const editCommands = ['fake.replace', 'fake.nothing'];
    return {
      servers: [{ id: 'fake', command: [command, ...args], extensions, editCommands }],
      disabledServers: real,
    };
  }
  return { ...patient, servers: [], disabledServers: real.filter((id) => !server.split('+').includes(id)) };
}

const real = servers.map(({ id }) => id);

/** What differs from run to run and from machine to machine stands in angle brackets. */
function steady(json: string, root: string): string {
  return json
    .replaceAll(root, '<root>')
    .replace(/\/[^" ]*?\/node_modules\//g, '<installation>/')
    .replaceAll(`typescript-${process.platform}-${process.arch}`, 'typescript-<platform>')
    .replace(
      /\/[^" ]*?\/rustlib\/src\/rust\/|\/[^" ]*?\/rust-library\/|\/usr\/src\/rustc-[^/]*\/library\//g,
      '<rust>/',
    )
    .replace(/\/usr\/(lib|share)\/go-[\d.]+\//g, '<go>/')
    .replace(/(since(?:":"|: ))d[0-9a-f]{8}/g, '$1<since>')
    .replace(/\bp-[a-z0-9]{10}\b/g, '<plan>')
    .replace(/\be-[a-z0-9]{8,40}\b/g, '<edit>')
    .replace(/\ba-[0-9a-f]{8}\b/g, '<action>')
    .replace(/lspan \d+\.\d+\.\d+[\w.-]*/g, 'lspan <version>')
    .replace(/pid \d+(, confined)?/g, 'pid <n>')
    .replaceAll('"confined":true,', '')
    .replace(/up \d+ s/g, 'up <n> s')
    .replace(/\d+ MB/g, '<n> MB')
    .replace(/"(pid|uptime_seconds|memory_mb)":\d+/g, '"$1":0');
}
