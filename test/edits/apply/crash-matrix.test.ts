import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import type { Edits } from '../../../src/edits/edits.ts';
import type { Edit } from '../../../src/edits/plan.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { countedFiles, type Fault } from '../counted-files.ts';
import { everyChange, everyThing } from '../everything.ts';
import { aCall, type Sandbox, sandboxIn } from '../sandbox-in.ts';

type State = Record<string, string>;

/** How much of the matrix is left out: every how many operations a recovery is killed. */
const stride = Number(process.env.LSPAN_CRASH_STRIDE ?? 11);
/** Without second links an edit is begun twice, of which the first beginning is the same as with them. */
const sparse = Math.min(stride, 5);
const codes = ['EIO', 'ENOSPC', 'EACCES', 'EROFS', 'EMFILE', 'EXDEV', 'EBUSY', 'EPERM'];
/** As another process that has ended would be on record. */
const dead = { ...thisProcess(), started: 1 };
const before: State = {};
const after: State = {};
let home = '';
let count = 0;

beforeAll(async () => {
  // Thousands of small files are made, and what they are made on does not matter.
  const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  home = realpathSync(mkdtempSync(path.join(place, 'lspan-crash-')));
  await inSandbox(async (sandbox) => {
    Object.assign(before, sandbox.snapshot());
    await applyUntil(sandbox);
    Object.assign(after, sandbox.snapshot());
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each([
  { links: true, on: 'a file system with hard links' },
  { links: false, on: 'a file system without hard links' },
])('on $on', ({ links }) => {
  const each = links ? 1 : sparse;

  test('EDT-26 EDT-27 EDT-32 EDT-33 after a failure at any operation, the report matches the disk, and no file of lspan is left', async () => {
    const wrong = await atEvery(links, each, async (sandbox, at) => {
      const fault = { at, code: codes[at % codes.length] ?? 'EIO' };
      const { outcome, reached } = await applyUntil(sandbox, fault, links);
      const told = outcome instanceof LspanError ? 'before' : 'after';
      // With a clean-up warning, the next lspan tidies up.
      if (told === 'after' && outcome !== 'killed' && 'warning' in outcome)
        await nextLspan(sandbox, links).recover(aCall());
      return { reached, wrong: [...differs(sandbox, told), ...records(sandbox)] };
    });
    expect(wrong).toEqual([]);
  });

  test('EDT-26 EDT-27 a disk that keeps failing leaves what is reported, and the next lspan finishes it', async () => {
    const wrong = await atEvery(links, each, async (sandbox, at) => {
      const { outcome, reached } = await applyUntil(sandbox, { at, code: 'EIO', forever: true }, links);
      const isOpen = outcome instanceof LspanError && outcome.message.includes('could not be undone');
      const told = isOpen ? 'either' : outcome instanceof LspanError ? 'before' : 'after';
      const early = told === 'either' ? [] : differs(sandbox, told, withoutOurs);
      await nextLspan(sandbox, links).recover(aCall());
      return { reached, wrong: [...early, ...differs(sandbox, told), ...records(sandbox)] };
    });
    expect(wrong).toEqual([]);
  });

  test('EDT-28 EDT-32 a kill at any operation leaves all or nothing once the next lspan starts', async () => {
    const wrong = await atEvery(links, each, async (sandbox, at) => {
      const { reached } = await applyUntil(sandbox, { at, kill: true }, links);
      const { conflicts } = await nextLspan(sandbox, links).recover(aCall());
      return { reached, wrong: [...differs(sandbox, 'either'), ...records(sandbox), ...conflicts] };
    });
    expect(wrong).toEqual([]);
  });

  test('EDT-29 recoveries converge, even if two of them are killed at any operation', async () => {
    const wrong = await atEvery(links, links ? stride : 2 * stride, async (_, at) => {
      let first = 0;
      const within = await atEvery(links, stride, async (sandbox, again) => {
        first = (await applyUntil(sandbox, { at, kill: true }, links)).reached;
        const reached = await recoverUntil(sandbox, { at: again, kill: true }, links);
        await recoverUntil(sandbox, { at: again + 1, kill: true }, links);
        await nextLspan(sandbox, links).recover(aCall());
        return { reached, wrong: [...differs(sandbox, 'either'), ...records(sandbox)] };
      });
      return { reached: first, wrong: within };
    });
    expect(wrong).toEqual([]);
  });

  test('EDT-29 a file that another program wrote before the recovery is kept and reported, and the rest converges', async () => {
    let conflicts = 0;
    const wrong = await atEvery(links, 3 * each, async (sandbox, at) => {
      const { reached } = await applyUntil(sandbox, { at, kill: true }, links);
      writeFileSync(sandbox.at('a.ts'), 'mine\n');
      const recovery = await nextLspan(sandbox, links).recover(aCall());
      conflicts += recovery.conflicts.length;
      const isMine = sandbox.snapshot()['a.ts'] === '644 mine\n';
      const rest = differs(sandbox, 'either', ({ 'a.ts': _, ...others }) => others);
      // And the next edit is not refused for it.
      const plan = sandbox
        .open()
        .plan(sandbox.proposal({ write: 'a.ts', text: 'next\n' }), { title: 'next' });
      await sandbox.open().apply(plan, aCall());
      return { reached, wrong: isMine ? rest : ['lost', ...rest] };
    });
    expect(wrong).toEqual([]);
    expect(conflicts).toBeGreaterThan(0);
  });
});

/** Runs a case at every so many operations, until there are no more; what went wrong, by the operation. */
async function atEvery(
  links: boolean,
  step: number,
  act: (sandbox: Sandbox, at: number) => Promise<{ reached: number; wrong: readonly string[] }>,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let at = 1; ; at += step) {
    const outcome = await inSandbox((sandbox) => act(sandbox, at));
    wrong.push(...outcome.wrong.map((what) => `${links ? '' : 'without links, '}at ${at}: ${what}`));
    if (outcome.reached < at) return wrong;
  }
}

async function inSandbox<T>(act: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const folder = path.join(home, String(count++));
  mkdirSync(folder);
  return act(sandboxIn(folder, everyThing)).finally(() => rmSync(folder, { recursive: true }));
}

/** Applies every change until a fault, and tells what came of it and how many operations there were. */
async function applyUntil(
  sandbox: Sandbox,
  fault?: Fault,
  hasLinks = true,
): Promise<{ outcome: Edit | LspanError | 'killed'; reached: number }> {
  const plan = sandbox.open().plan(everyChange(sandbox), { title: 'everything' });
  const counted = countedFiles(fault, { hasLinks });
  const edits = sandbox.open({ files: counted.files, owner: dead });
  const applied = edits.apply(plan, aCall()).catch((thrown: unknown) => {
    if (thrown instanceof LspanError) return thrown;
    throw thrown;
  });
  const outcome = await Promise.race([applied, counted.killed.then(() => 'killed' as const)]);
  await endOf(counted, fault);
  return { outcome, reached: counted.names.length };
}

function nextLspan(sandbox: Sandbox, hasLinks: boolean): Edits {
  return sandbox.open({ files: countedFiles(undefined, { hasLinks }).files });
}

async function recoverUntil(sandbox: Sandbox, fault: Fault, hasLinks: boolean): Promise<number> {
  const counted = countedFiles(fault, { hasLinks });
  const recovery = sandbox.open({ files: counted.files, owner: dead }).recover(aCall());
  await Promise.race([recovery.catch(() => {}), counted.killed]);
  await endOf(counted, fault);
  return counted.names.length;
}

/** One that was killed may have told of it before all that it had begun was over. */
async function endOf({ names, killed }: ReturnType<typeof countedFiles>, fault?: Fault): Promise<void> {
  if (fault && 'kill' in fault && names.length >= fault.at) await killed;
}

/** How the tree differs from what it should be. */
function differs(
  sandbox: Sandbox,
  told: 'before' | 'after' | 'either',
  seen: (state: State) => State = (state) => state,
): readonly string[] {
  const is = JSON.stringify(seen(sandbox.snapshot()));
  const allowed = told === 'either' ? [before, after] : [told === 'before' ? before : after];
  return allowed.some((state) => JSON.stringify(seen(state)) === is) ? [] : [`told ${told}, is ${is}`];
}

/** What is left on record of an edit that is over; what was only being written waits until it is old, and waste until it is freed. */
function records(sandbox: Sandbox): readonly string[] {
  const folder = path.join(sandbox.state, 'edits');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => name !== 'locks' && !/\.(done|new|waste)$/.test(name));
}

function withoutOurs(state: State): State {
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => !path.basename(name).startsWith('.lspan-')),
  );
}
