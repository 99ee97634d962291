import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { addIndex } from '../../src/manage-indexes.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';

/** A project that is indexed, and asked about in both ways. */
export interface IndexedProject {
  /** The folder with its sources, of which a copy is made. */
  readonly sources: string;
  /** The server that is asked, and the program that makes the index. */
  readonly server: string;
  readonly indexer: readonly string[];
  /** What the copy gets beside `src`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly pattern: RegExp;
}

/** A use that only one of them has. */
export interface Difference {
  readonly only: 'index' | 'server';
  readonly place: string;
  /** Its line, and what stands at the place. */
  readonly line: string;
  readonly word: string;
  /** The place of the symbol that was asked about, and its line. */
  readonly of: string;
  readonly ofLine: string;
}

export interface Comparison {
  readonly symbols: number;
  readonly same: number;
  readonly differences: readonly Difference[];
}

/** Indexes a project, and asks about the uses of its symbols twice: the live server, and the index alone. */
export async function compareWithServer(project: IndexedProject, most: number): Promise<Comparison> {
  const around = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-indexed-')));
  try {
    const root = copyOf(project, path.join(around, 'project'));
    const environment = { ...process.env, XDG_STATE_HOME: path.join(around, 'state') };
    const file = path.join(around, 'index.scip');
    const [program = '', ...args] = project.indexer;
    const { status, stderr, stdout } = spawnSync(program, [...args, file], { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${project.indexer.join(' ')} failed: ${stderr || stdout}`);
    const settings = { roots: [root], log: silent, environment, surface: 'lspan' as const };
    await addIndex(settings, { file, keepsTexts: true, report: () => {} });
    const all = servers.map(({ id }) => id);
    const open = (disabledServers: readonly string[]) =>
      openBridge({ ...settings, overrides: { ...patient, disabledServers } });
    const live = await open(all.filter((id) => id !== project.server));
    const alone = await open(all);
    const found = await compareUses(live, alone, await placesIn(live, project, root, most));
    await Promise.all([live.close(), alone.close()]);
    return { ...found, differences: found.differences.map((one) => described(root, one)) };
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

function copyOf({ sources, files = {} }: IndexedProject, root: string): string {
  cpSync(sources, path.join(root, 'src'), { recursive: true, dereference: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return root;
}

interface Place {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
}

/** The declared symbols of all files, evenly chosen. */
async function placesIn(
  bridge: Bridge,
  { pattern }: IndexedProject,
  root: string,
  most: number,
): Promise<readonly Place[]> {
  const { stdout } = spawnSync('find', ['src', '-type', 'f'], { cwd: root, encoding: 'utf8' });
  const files = stdout
    .split('\n')
    .filter((file) => pattern.test(file))
    .sort();
  const places: Place[] = [];
  for (const file_path of files) {
    const { data } = await bridge.call('get_document_symbols', { file_path, max_tokens: 20_000 });
    const { symbols = [] } = data as { symbols?: readonly Place[] };
    for (const { line, character } of symbols) places.push({ file_path, line, character });
  }
  const step = Math.max(1, places.length / most);
  return places.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function compareUses(live: Bridge, alone: Bridge, places: readonly Place[]) {
  const differences: Pick<Difference, 'only' | 'place' | 'of'>[] = [];
  let same = 0;
  for (const place of places) {
    const [known, indexed] = [await usesOf(live, place), await usesOf(alone, place)];
    const of = `${place.file_path}:${place.line}:${place.character}`;
    const differ = (only: Difference['only'], one: string) => differences.push({ only, place: one, of });
    for (const one of known) indexed.has(one) ? same++ : differ('server', one);
    for (const one of indexed) if (!known.has(one)) differ('index', one);
  }
  return { symbols: places.length, same, differences };
}

/** What has no answer has no uses. */
async function usesOf(bridge: Bridge, place: Place): Promise<ReadonlySet<string>> {
  const { data } = await bridge.call('find_references', { ...place, max_tokens: 20_000 });
  const { references = [] } = data as { references?: readonly (Place & { external?: string })[] };
  const inside = references.filter(({ external }) => external === undefined);
  return new Set(inside.map(({ file_path, line, character }) => `${file_path}:${line}:${character}`));
}

function described(root: string, one: Pick<Difference, 'only' | 'place' | 'of'>): Difference {
  const [, , column] = one.place.split(':');
  const line = lineAt(root, one.place);
  const word = /^['"]?[\w$]*/.exec(line.slice(Number(column) - 1))?.[0] ?? '';
  return { ...one, line: line.trim(), word, ofLine: lineAt(root, one.of).trim() };
}

function lineAt(root: string, place: string): string {
  const [file = '', line] = place.split(':');
  return readFileSync(path.join(root, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
}
