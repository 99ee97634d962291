import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import type { Edit, Plan } from '../../../src/edits/plan.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { withSeed } from '../../with-seed.ts';
import { aCall, type Sandbox } from '../sandbox-in.ts';
import { betweenFolders, everything, inMovedFolders, type Scene } from '../scenes.ts';
import { type Happening, type ShadowDisk, shadowOf } from '../shadow-disk.ts';
import { shadowFiles } from '../shadow-files.ts';
import { afterPowerLoss, type Chance } from './power-loss.ts';

/** After every how many happenings the power is lost; 1 in the campaign. */
const stride = Number(process.env.LSPAN_POWER_STRIDE ?? 5);
/** How many disks are drawn by chance at each loss. */
const draws = Number(process.env.LSPAN_POWER_DRAWS ?? 4);
const { seed } = withSeed({});
/** As a process that has ended with its system would be on record. */
const dead = { ...thisProcess(), started: 1 };
let home = '';

beforeAll(() => {
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-power-')));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

type State = Record<string, string>;

/** An edit, and what a disk in memory was asked to do for it. */
interface Recording {
  readonly start: ShadowDisk;
  readonly happened: readonly Happening[];
  /** What may be found, the latest last. */
  readonly told: readonly Told[];
}

/** Which states may be found when the power is lost after so many happenings. */
interface Told {
  readonly from: number;
  readonly allowed: readonly State[];
}

describe.each([
  { name: 'every kind of change', prepare: everything },
  { name: 'changes in folders that are moved', prepare: inMovedFolders },
  { name: 'files that move between folders', prepare: betweenFolders },
])('$name', ({ name, prepare }) => {
  describe.each([
    { hasLinks: true, on: 'with hard links' },
    { hasLinks: false, on: 'without hard links' },
  ])('on a file system $on', ({ hasLinks }) => {
    const scene = () => sceneIn(path.join(home, `${name} ${hasLinks}`.replaceAll(' ', '-')), prepare);

    test('EDT-30 a power loss leaves all or nothing, and an edit reported as applied or undone stays so', async () => {
      const { sandbox, plan } = scene();
      const recording = await recordEdit(sandbox, plan, { hasLinks });
      expect(recording.told).toHaveLength(3);
      expect(await wrongAfterLosses(sandbox, recording, stride, hasLinks)).toEqual([]);
    });

    test('EDT-30 EDT-29 so does a power loss during the recovery from another one', async () => {
      const { sandbox, plan } = scene();
      const recording = await recordEdit(sandbox, plan, { hasLinks });
      const wrong: string[] = [];
      const chance = chanceOf(seed);
      for (const at of momentsOf(recording, 9 * stride)) {
        const disks = [...afterPowerLoss(recording.start, recording.happened.slice(0, at), 1, chance)];
        const found = disks[Math.floor(chance() * disks.length)];
        if (!found) continue;
        const second = await recordRecovery(sandbox, found, allowedAt(recording, at), hasLinks);
        wrong.push(
          ...(await wrongAfterLosses(sandbox, second, 2 * stride, hasLinks)).map((one) => `at ${at}, ${one}`),
        );
      }
      expect(wrong).toEqual([]);
    });

    test('EDT-30 EDT-27 so does a power loss after a disk failure, and an edit reported as not applied stays so', async () => {
      const { sandbox, plan } = scene();
      const wrong: string[] = [];
      const { happened } = await recordEdit(sandbox, plan, { hasLinks });
      for (let failing = 1; failing <= happened.length; failing += 2 * stride) {
        const recording = await recordEdit(sandbox, plan, { hasLinks, failing });
        // When all is told, unless it is the campaign: by then everything must be on the disk.
        const every = stride === 1 ? 9 : recording.happened.length;
        const found = await wrongAfterLosses(sandbox, recording, every, hasLinks);
        wrong.push(...found.map((one) => `failed at ${failing}, ${one}`));
      }
      expect(wrong).toEqual([]);
    });
  });
});

function sceneIn(folder: string, prepare: (folder: string) => Scene): Scene {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const scene = prepare(folder);
  // The disk in memory has none yet; but who waits for a lock watches the folder on the real one.
  mkdirSync(path.join(scene.sandbox.state, 'edits', 'locks'), { recursive: true });
  return scene;
}

/** Carries a plan out on a disk in memory and takes it back there, and writes everything down. */
async function recordEdit(
  sandbox: Sandbox,
  plan: Plan,
  options: { readonly hasLinks: boolean; readonly failing?: number },
): Promise<Recording> {
  const start = withoutState(sandbox);
  const { files, disk, happened } = shadowFiles(start.copy(), options);
  const edits = sandbox.open({ files, owner: dead });
  const [before, after] = [disk.snapshot(sandbox.root), await resultOf(sandbox, plan)];
  const told: Told[] = [{ from: 0, allowed: [before, after] }];
  // One that was told with a warning, or as half done, is promised nothing.
  const tell = (sure: State, outcome: Edit | LspanError, next: readonly State[]) => {
    const isSure =
      outcome instanceof LspanError ? !outcome.message.includes('could not be undone') : !outcome.warning;
    told.push({ from: happened.length, allowed: isSure ? [sure, ...next] : [before, after] });
  };
  const edit = await outcomeOf(edits.apply(plan, aCall()));
  if (edit instanceof LspanError) {
    tell(before, edit, []);
    return { start, happened, told };
  }
  tell(after, edit, [before]);
  const undone = await outcomeOf(edits.apply(edits.planUndo(edit.id), aCall()));
  tell(undone instanceof LspanError ? after : before, undone, []);
  return { start, happened, told };
}

async function resultOf(sandbox: Sandbox, plan: Plan): Promise<State> {
  const { files, disk } = shadowFiles(withoutState(sandbox));
  await sandbox.open({ files }).apply(plan, aCall());
  return disk.snapshot(sandbox.root);
}

async function outcomeOf(applied: Promise<Edit>): Promise<Edit | LspanError> {
  return applied.catch((thrown: unknown) => {
    if (thrown instanceof LspanError) return thrown;
    throw thrown;
  });
}

/** Has the next lspan end what it finds, and writes that down. */
async function recordRecovery(
  sandbox: Sandbox,
  start: ShadowDisk,
  allowed: readonly State[],
  hasLinks: boolean,
): Promise<Recording> {
  const { files, happened } = shadowFiles(start.copy(), { hasLinks });
  await sandbox.open({ files, owner: dead }).recover(aCall());
  return { start, happened, told: [{ from: 0, allowed }] };
}

function withoutState(sandbox: Sandbox): ShadowDisk {
  const disk = shadowOf(path.dirname(sandbox.root));
  disk.names(disk.find(path.dirname(sandbox.root)) ?? 0).delete(path.basename(sandbox.state));
  return disk;
}

/** After how many happenings the power is lost; always after the last one too. */
function momentsOf({ happened }: Recording, every: number): readonly number[] {
  const count = Math.ceil(happened.length / Math.max(every, 1));
  return Array.from({ length: count + 1 }, (_, index) => Math.min(index * every, happened.length));
}

function allowedAt({ told }: Recording, at: number): readonly State[] {
  return told.findLast(({ from }) => from <= at)?.allowed ?? [];
}

/** What the next lspan finds wrong, after its recovery, with any of the disks that a loss of power may leave. */
async function wrongAfterLosses(
  sandbox: Sandbox,
  recording: Recording,
  every: number,
  hasLinks: boolean,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const chance = chanceOf(seed);
  const seen = new Set<string>();
  for (const at of momentsOf(recording, every)) {
    const allowed = allowedAt(recording, at);
    for (const disk of afterPowerLoss(recording.start, recording.happened.slice(0, at), draws, chance)) {
      const key = `${JSON.stringify(allowed)} ${disk.key()}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const found = JSON.stringify(disk.snapshot(sandbox.root));
      const what = await wrongAfterRecovery(sandbox, disk, allowed, hasLinks);
      if (what.length > 0) wrong.push(`at ${at}: ${what.join('; ')}; found ${found}`);
    }
  }
  return wrong;
}

async function wrongAfterRecovery(
  sandbox: Sandbox,
  disk: ShadowDisk,
  allowed: readonly State[],
  hasLinks: boolean,
): Promise<readonly string[]> {
  const { files } = shadowFiles(disk, { hasLinks });
  const recovery = await sandbox.open({ files }).recover(aCall());
  const is = JSON.stringify(disk.snapshot(sandbox.root));
  const isAllowed = allowed.some((state) => JSON.stringify(state) === is);
  const records = Object.keys(disk.snapshot(path.join(sandbox.state, 'edits'))).filter(
    (record) => !record.startsWith('locks') && !/\.(done|new|waste)$/.test(record),
  );
  return [...(isAllowed ? [] : [is]), ...recovery.conflicts, ...records];
}

/** Numbers by chance, the same ones for the same seed (mulberry32). */
function chanceOf(from: number): Chance {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
