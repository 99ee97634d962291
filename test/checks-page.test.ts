import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../src/core/limits.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = 'docs/checks.md';
const families = ['BND', 'TRN', 'PRO', 'PRC', 'EDT', 'RES', 'INF', 'SUP', 'CNF', 'DMN', 'VIA', 'IDX'];
const id = new RegExp(`\\b(?:${families.join('|')})-\\d+\\b`, 'g');
const row = new RegExp(`^\\| (${id.source}) \\| (.+) \\| ([^|]+) \\|$`, 'gm');
const none = '–';

const tests = list('test').filter((file) => /\.ts$/.test(file));
const campaigns = ['test/campaigns', 'bench'].flatMap(list).filter((file) => /^[^.]+\.c?js$/.test(file));
const scenarios = list('test').filter((file) => file.endsWith('.scenario'));

/** The files that prove each check. */
const proofs = new Map<string, Set<string>>();
for (const file of tests) prove(file, withoutComments(read(file)));
for (const file of [...campaigns, ...scenarios]) prove(file, read(file));

describe('docs/checks.md', () => {
  it('tells of each check which files prove it', () => {
    const present = read(page).replace(row, (_, check: string, what: string) => {
      return `| ${check} | ${what} | ${provenBy(check)} |`;
    });
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path.join(root, page), present);
    expect(read(page)).toBe(present);
  });

  it('defines each check once, with its family, in the order of the numbers', () => {
    const counted = families.flatMap((family) => {
      const own = defined().filter((check) => check.startsWith(family));
      return own.map((_, index) => `${family}-${String(index + 1).padStart(2, '0')}`);
    });
    expect(defined()).toEqual(counted);
    const sections = read(page).split(/^## /m);
    const homes = families.map((family) => sections.filter((text) => text.includes(`\n| ${family}-01 | `)));
    expect(homes.map((found) => found.length)).toEqual(families.map(() => 1));
  });

  it('defines every check that a test, a source or a document names', () => {
    const documents = list('docs').filter((file) => file.endsWith('.md'));
    const sources = [...tests, ...campaigns, ...scenarios, ...list('src'), ...documents];
    const known = new Set(defined());
    const unknown = sources.flatMap((file) =>
      idsIn(read(file)).flatMap((check) => (known.has(check) ? [] : [`${check} in ${file}`])),
    );
    expect(unknown).toEqual([]);
  });

  it('has the bounds of faulty servers that hold', () => {
    const { call, hung, restart, servers, stderrRing, stderrLinesPerSecond, writeQueue } = limits;
    const [second, minute, KiB, MiB, GiB] = [1_000, 60_000, 1024, 1024 ** 2, 1024 ** 3];
    const stated = [
      `begins at ${restart.backoffFirst / second} s and doubles up to ${restart.backoffMost / second} s`,
      `After ${restart.crashes} crashes in ${restart.window / minute} minutes`,
      `left alone for ${restart.halfOpen / second} s`,
      `a deadline of ${call.deadline / second} s, of which at most ${call.readiness / second} s pass`,
      `after ${hung.idle / second} s if it does not use the processor, after ${hung.busy / second} s if it does`,
      `At most ${writeQueue / MiB} MiB wait`,
      `the last ${stderrRing / KiB} KiB and logs at most ${stderrLinesPerSecond} lines a second`,
      `looked at every ${limits.memoryCheckEvery / second} s`,
      `Above its limit, ${servers.memory / GiB} GiB`,
      `up to ${limits.registrations.toLocaleString('en')} registrations`,
      `its edits, up to ${limits.commandEdits}, become`,
    ];
    const [, told = ''] = read(page).replace(/\s+/g, ' ').split('## Faulty servers');
    expect(stated.filter((text) => !told.includes(text))).toEqual([]);
  });

  it('says why of exactly those checks that have no test', () => {
    const [, told = ''] = read(page).split(/^## Without a test$/m);
    const excused = [...told.matchAll(new RegExp(`^\\| (${id.source}) \\| (.+\\.) \\|$`, 'gm'))];
    const unproven = defined().filter((check) => !proofs.has(check));
    expect(excused.map(([, check]) => check)).toEqual(unproven);
  });
});

/** The checks that have a row with a proof. */
function defined(): readonly string[] {
  return [...read(page).matchAll(row)].map(([, check = '']) => check);
}

function provenBy(check: string): string {
  const files = [...(proofs.get(check) ?? [])].sort();
  return files.length === 0 ? none : files.map((file) => `\`${file}\``).join(', ');
}

function prove(file: string, text: string): void {
  for (const check of idsIn(text)) proofs.set(check, (proofs.get(check) ?? new Set()).add(file));
}

function idsIn(text: string): readonly string[] {
  return [...text.matchAll(id)].map(([check]) => check);
}

/** A test names what it proves in a title; its comments may speak of any check. */
function withoutComments(text: string): string {
  return text.replace(/\/\*\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');
}

function list(folder: string): string[] {
  const names = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => path.extname(name) !== '');
  return files.map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`).sort();
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
