import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silent } from '../../../src/core/log.ts';
import { AllowedFolders } from '../../../src/workspace/gate/allowed-folders.ts';
import { readInside } from '../../../src/workspace/gate/read-inside.ts';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

describe('races', () => {
  test('BND-06 nothing outside is read while a folder is swapped for a link at full speed', async () => {
    const { root, swaps } = await startSwapping();
    const territory = new AllowedFolders([root]);
    const outcomes = new Map<string, number>();
    for (let round = 0; round < 10_000 || ((await swaps()) < 1_000 && round < 1_000_000); round++) {
      const result = readInside(territory, path.join(root, 'd/x.ts'), 1_000);
      const outcome = result.kind === 'bytes' ? result.bytes.toString() : result.kind;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect(outcomes.get('inside')).toBeGreaterThan(0);
    expect([...outcomes.keys()].filter((outcome) => outcome.includes('SECRET'))).toEqual([]);
  });

  test('BND-06 nothing outside is read through a workspace meanwhile either, at any stage', async () => {
    const { root } = await startSwapping();
    for (let round = 0; round < 300; round++) {
      const workspace = await openWorkspace({ roots: [root], log: silent, watch: 'scan' });
      for (let again = 0; again < 5; again++) {
        const read = workspace.resolve('d/x.ts').then((file) => workspace.read(file));
        const text = await read.then(
          (document) => document.text,
          () => 'refused',
        );
        expect(['inside', 'refused']).toContain(text);
      }
      await workspace.close();
    }
  });
});

describe.runIf(process.platform === 'linux')('random paths', () => {
  const rounds = Number(process.env.LSPAN_RANDOM_PATHS ?? 2_000);

  test('BND-23 every accepted path opens a file under a root', {
    timeout: 120_000 + 20 * rounds,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`random paths: seed ${seed}`);
    const maze = await openMaze();
    const random = createRandom(seed);
    const opened = new Set<string>();
    for (let round = 0; round < rounds; round++)
      for (const file of await allowedBy(maze, randomPath(random, maze)))
        opened.add(openedPath(file) ?? maze.root);
    expect(opened.size).toBeGreaterThan(3);
    expect([...opened].filter((file) => file !== maze.root && !file.startsWith(`${maze.root}/`))).toEqual([]);
  });
});

test('without the path of the descriptor from the kernel, the path and the inode decide', () => {
  const world = temporaryFolder({ 'app/a.ts': 'inside', 'outside/x.ts': 'SECRET' });
  const root = path.join(world, 'app');
  symlinkSync('../outside', path.join(root, 'd'));
  const read = (name: string) =>
    readInside(new AllowedFolders([root]), path.join(root, name), 1_000, 'path').kind;
  expect(read('a.ts')).toBe('bytes');
  expect(read('d/x.ts')).toBe('outside');
});

async function startSwapping() {
  const world = temporaryFolder({ 'app/d/x.ts': 'inside', 'outside/x.ts': 'SECRET' });
  const root = path.join(world, 'app');
  const swapper = fork(path.join(import.meta.dirname, '../folder-swapper.js'), ['../outside'], { cwd: root });
  const swaps = async () => {
    swapper.send('count');
    const [count] = await once(swapper, 'message');
    return Number(count);
  };
  onTestFinished(async () => {
    swapper.disconnect();
    if (swapper.exitCode === null) await once(swapper, 'exit');
  });
  await swaps();
  return { root, swaps };
}

type Maze = Awaited<ReturnType<typeof openMaze>>;

async function openMaze() {
  const files = { 'a.ts': '', 'd/a.ts': '', 'd/e/b.ts': '', 'd e/%41.ts': '' };
  const inside = Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/${name}`, text]));
  const world = temporaryFolder({ ...inside, 'app2/a.ts': '', 'out/a.ts': '', 'out/d/b.ts': '' });
  const root = path.join(world, 'app');
  const links = {
    l: 'd',
    'd/m': '../../out',
    'd/n': '..',
    o: '../out/a.ts',
    p: 'd/n/d',
    'd/e/q': '../../l/e',
    'd/r': '../../app/d',
    s: 's',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
  symlinkSync('../app/d', path.join(world, 'out/back'));
  return { world, root, workspace: (await openSandbox([root])).workspace };
}

const pieces = [
  ...[
    'a.ts',
    'b.ts',
    'd',
    'e',
    'l',
    'm',
    'n',
    'o',
    'p',
    'q',
    'r',
    's',
    '.',
    '..',
    '',
    'd e',
    '%41.ts',
    'out',
    'app',
    'app2',
    'back',
  ],
  ...['%2e%2e', '%2F', '%64', '..%2f', '~', 'd%20e', '%2541.ts', '\\', 'etc', 'passwd', '#x', '?y'],
];

/** What a path leads to for an agent that gives it, and for a server. */
async function allowedBy({ workspace, root }: Maze, given: string): Promise<string[]> {
  const real = await workspace.resolve(given).catch(() => undefined);
  const { path: admitted, standing } = workspace.fromUri(
    given.startsWith('file:') ? given : `file://${path.resolve(root, given)}`,
  );
  return [...(real === undefined ? [] : [real]), ...(standing === 'inside' ? [admitted] : [])];
}

function randomPath(random: () => number, { root, world }: Maze): string {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const middle = Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(pieces)).join('/');
  return `${pick(['', '', './', `${root}/`, `${world}/`, `file://${root}/`, `file://${world}/`, `file:${root}/`, '/'])}${middle}`;
}

/** Where an open file lies by the kernel's own word. */
function openedPath(file: string): string | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const target = readlinkSync(`/proc/self/fd/${descriptor}`);
    closeSync(descriptor);
    return target;
  } catch {
    return undefined;
  }
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 2 ** 23;
  };
}
