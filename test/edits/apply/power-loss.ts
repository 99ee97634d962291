import type { Happening, ShadowDisk } from '../shadow-disk.ts';

/** What is found of a file whose content was not synced. */
const remains = {
  all: (bytes: Buffer) => bytes,
  nothing: () => Buffer.alloc(0),
  half: (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
  zeros: (bytes: Buffer) => Buffer.alloc(bytes.length),
};

type Remains = keyof typeof remains;

/** A number from 0 to 1, 1 excluded. */
export type Chance = () => number;

/**
 * The disks that may be found when the power is lost after some happenings. What was synced is there. Of all else: of
 * the names, (a) any of the first changes in their order, or (b) in each folder any of the first, some draws by chance;
 * of contents, nothing, a part, zeros, or all; and modes, or not. A change of names in two folders is whole in both.
 */
export function* afterPowerLoss(
  start: ShadowDisk,
  happened: readonly Happening[],
  draws: number,
  chance: Chance,
): Generator<ShadowDisk> {
  const certain = certainOf(happened);
  const pending = happened.flatMap((one, index) =>
    one.kind === 'names' && !certain.has(index) ? [index] : [],
  );
  for (let count = 0; count <= pending.length; count++)
    yield found(start, happened, new Set([...certain, ...pending.slice(0, count)]), chance);
  for (let draw = 0; draw < draws && pending.length > 1; draw++)
    yield found(start, happened, new Set([...certain, ...drawn(happened, pending, chance)]), chance);
}

/** The numbers of the happenings that cannot be lost. */
function certainOf(happened: readonly Happening[]): ReadonlySet<number> {
  const synced = new Map<number, number>();
  for (const one of happened)
    if (one.kind === 'synced') synced.set(one.inode, Math.max(one.before, synced.get(one.inode) ?? 0));
  const certain = new Set<number>();
  const followed = new Set<number>();
  // From the last on, since what is certain in one folder makes all names certain that were changed there before.
  for (const [index, one] of [...happened.entries()].reverse()) {
    const concerned = concernedBy(one);
    const isSynced = concerned.some((inode) => index < (synced.get(inode) ?? 0));
    const isFollowed = one.kind === 'names' && concerned.some((inode) => followed.has(inode));
    if (one.kind !== 'made' && !isSynced && !isFollowed) continue;
    certain.add(index);
    if (one.kind === 'names') for (const inode of concerned) followed.add(inode);
  }
  return certain;
}

function concernedBy(one: Happening): readonly number[] {
  return one.kind === 'names' ? [...new Set(one.changes.map(({ folder }) => folder))] : [one.inode];
}

/** Of the changes in each folder the first few; none after one that is missing in either of its folders. */
function drawn(
  happened: readonly Happening[],
  pending: readonly number[],
  chance: Chance,
): readonly number[] {
  const left = new Map<number, number>();
  const changesIn = (folder: number) =>
    pending.filter((index) => concernedBy(happened[index] ?? nothing).includes(folder)).length;
  return pending.filter((index) => {
    const folders = concernedBy(happened[index] ?? nothing);
    for (const folder of folders)
      if (!left.has(folder)) left.set(folder, Math.floor(chance() * (changesIn(folder) + 1)));
    const isThere = folders.every((folder) => (left.get(folder) ?? 0) > 0);
    for (const folder of folders) left.set(folder, isThere ? (left.get(folder) ?? 0) - 1 : 0);
    return isThere;
  });
}

const nothing: Happening = { kind: 'names', changes: [] };

function found(
  start: ShadowDisk,
  happened: readonly Happening[],
  there: ReadonlySet<number>,
  chance: Chance,
): ShadowDisk {
  const disk = start.copy();
  for (const [index, one] of happened.entries()) {
    if (there.has(index)) disk.take(one);
    else if (one.kind === 'bytes') disk.take({ ...one, bytes: remains[remainsBy(chance)](one.bytes) });
    else if (one.kind === 'mode' && chance() < 0.5) disk.take(one);
  }
  return disk;
}

function remainsBy(chance: Chance): Remains {
  const kinds: readonly Remains[] = ['all', 'nothing', 'half', 'zeros'];
  return kinds[Math.floor(chance() * kinds.length)] ?? 'all';
}
