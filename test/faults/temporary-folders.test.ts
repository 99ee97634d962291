import { existsSync, readFileSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ConfineMode } from '../../src/servers/definition.ts';
import { inSandbox, unconfinable } from '../confined.ts';
import { expectInOrder, openTestBridge, temporaryFolder } from '../test-bridge.ts';
import { expectAnswer, startLspan } from './start-lspan.ts';

const patience = { timeout: 120_000 };

describe.skipIf(process.platform !== 'linux')('PRC-24 the temporary folder of a server', () => {
  const isKilled = 'is its own, and is removed when it is killed';
  const ends = 'is removed, with the one that contains it, when lspan ends';

  it(isKilled, patience, () => killServer('never'));
  it.skipIf(unconfinable)(inSandbox(`${isKilled} in its sandbox`), patience, () => killServer('always'));
  it(ends, patience, () => endLspan('never'));
  it.skipIf(unconfinable)(inSandbox(`${ends} before its sandbox`), patience, () => endLspan('always'));

  it('is removed when lspan is killed', patience, async () => {
    const file = path.join(temporaryFolder('lspan-environment-'), 'noted');
    const lspan = await startLspan({
      script: { rules: [{ on: { start: true }, do: [{ reportEnv: { file } }] }] },
    });
    await expectAnswer(lspan);
    const { env }: { env: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, 'utf8'));
    expect(statSync(env.TMPDIR ?? '').isDirectory()).toBe(true);
    const gone = vanishes(path.dirname(env.TMPDIR ?? ''));
    lspan.child.kill('SIGKILL');
    await gone;
  });

  it('is what the user has set for the server, if that is so', patience, async () => {
    const own = temporaryFolder('lspan-own-');
    const { folder } = await openLeaving('never', { TMPDIR: own });
    expect(folder).toBe(own);
  });
});

async function killServer(confine: ConfineMode): Promise<void> {
  const { bridge, folder } = await openLeaving(confine);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(existsSync(path.join(folder, 'left/deep/file'))).toBe(true);
  const gone = vanishes(folder);
  const { data } = await bridge.call('get_server_status', {});
  expect(data).toMatchObject({ servers: [{ pid: expect.any(Number) }] });
  const { servers }: { servers: readonly { readonly pid: number }[] } = JSON.parse(JSON.stringify(data));
  process.kill(servers[0]?.pid ?? Number.NaN, 'SIGKILL');
  await gone;
  await expectInOrder(bridge);
}

async function endLspan(confine: ConfineMode): Promise<void> {
  const { bridge, folder } = await openLeaving(confine);
  await bridge.close();
  expect(existsSync(path.dirname(folder))).toBe(false);
}

/** Opens a bridge whose server leaves a file and a link in its temporary folder. */
async function openLeaving(confine: ConfineMode, env: Readonly<Record<string, string>> = {}) {
  const notes = temporaryFolder('lspan-folder-');
  const note = path.join(notes, 'name');
  const before = `mkdir -p "$TMPDIR/left/deep"; ln -s / "$TMPDIR/left/link"; echo x > "$TMPDIR/left/deep/file"
printf %s "$TMPDIR" > '${note}'`;
  const bridge = await openTestBridge({
    servers: { fake: { before, confine, env, writableFolders: [notes] } },
  });
  await expectInOrder(bridge);
  return { bridge, folder: readFileSync(note, 'utf8') };
}

/** Resolves when a folder is gone. */
function vanishes(folder: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(path.dirname(folder));
    const look = () => {
      if (existsSync(folder)) return;
      watcher.close();
      resolve();
    };
    watcher.on('change', look);
    look();
  });
}
