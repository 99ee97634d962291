import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../src/backends/index/store/embedded-store.ts';
import { limits } from '../../../src/core/limits.ts';
import { temporaryFolder } from '../../workspace/sandbox.ts';
import { add } from './adding.ts';
import { keyOf, placesOf, storeCases } from './store-cases.ts';
import { indexWords } from './write-scip.ts';

const bin = path.resolve('dist/bin.js');
const killer = path.resolve('test/backends/index/kill-importer.cjs');
/** At how many of the steps an importer is killed: 1 is at all. */
const stride = Number(process.env.LSPAN_TEST_KILL_STRIDE ?? 17);

describe('the embedded store', () => {
  storeCases(async () => {
    const folder = path.join(temporaryFolder(), 'index');
    return () => openEmbeddedStore(folder);
  });

  it('merges small files, keeps what counts, and leaves nothing else in its folder', async () => {
    const folder = path.join(temporaryFolder(), 'index');
    const store = await openEmbeddedStore(folder);
    const reader = await openEmbeddedStore(folder);
    const count = 3 * limits.index.segments;
    for (let at = 0; at < count; at++) {
      const files = { 'a.txt': `function alpha\nalpha beta${at}`, 'b.txt': 'alpha' };
      await add(store, indexWords(files), { repository: `r${at}`, files });
      expect(await reader.postings([keyOf('alpha')], 1_000)).toHaveLength(2 * (at + 1));
    }
    const names = readdirSync(folder);
    expect(names.filter((name) => name.endsWith('.sqlite')).length).toBeLessThanOrEqual(
      limits.index.segments + 1,
    );
    expect(names.filter((name) => !/^(?:[\w-]+\.sqlite|list\.json)$/.test(name))).toEqual([]);
    for (const index of await reader.list()) {
      const document = await reader.document(index.id, 'a.txt');
      const content = document && (await reader.content(document));
      expect(content?.text).toBe(`function alpha\nalpha beta${index.repository.slice(1)}`);
    }
    expect(await store.verify()).toEqual([]);
    await Promise.all([store.close(), reader.close()]);
  });

  it('IDX-01 an importer that is killed leaves nothing behind that counts, and the next one cleans up', async () => {
    const folder = path.join(temporaryFolder(), 'index');
    const store = await openEmbeddedStore(folder);
    await add(store, indexWords({ 'a.txt': 'function alpha' }));
    const writing = await store.write({ repository: 'here', commit: '' });
    const left = readdirSync(folder).filter((name) => name.startsWith('.draft'));
    expect(left.length).toBeGreaterThan(0);
    // What a process leaves that has ended: its number is of nobody.
    const ended = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(ended, 'exit');
    writeFileSync(path.join(folder, `.draft.${ended.pid}.abc`), 'half an index');
    expect(placesOf(await store.postings([keyOf('alpha')], 9))).toEqual(['a.txt 0:9-0:14 defined']);
    await writing.discard();
    await add(store, indexWords({ 'b.txt': 'function alpha' }));
    expect(readdirSync(folder).filter((name) => name.startsWith('.draft'))).toEqual([]);
    expect(placesOf(await store.postings([keyOf('alpha')], 9))).toEqual(['b.txt 0:9-0:14 defined']);
    await store.close();
  });

  it('IDX-01 an import that is killed at any step leaves the old index or has the new one, and the next one cleans up', async () => {
    const folder = temporaryFolder();
    const environment = { ...process.env, XDG_STATE_HOME: folder, TEST_ROOT: path.join(folder, 'lspan') };
    const file = path.join(folder, 'new.scip');
    const words = Array.from({ length: 400 }, (_, at) => `function w${at}`).join('\n');
    writeFileSync(file, indexWords({ 'b.txt': `function alpha\n${words}` }));
    const place = path.join(folder, 'lspan/index');
    const seen: string[] = [];
    for (let [step, isKilled] = [1, true]; isKilled; step += stride) {
      rmSync(place, { recursive: true, force: true });
      const store = await openEmbeddedStore(place);
      await add(store, indexWords({ 'a.txt': 'function alpha' }));
      const command = ['index', 'add', file, '--repository', 'here', '--commit', 'f00'];
      const importer = spawn(process.execPath, ['--require', killer, bin, ...command], {
        env: { ...environment, TEST_KILL_AT: String(step) },
        stdio: 'ignore',
      });
      const [code, signal] = await once(importer, 'exit');
      isKilled = signal === 'SIGKILL';
      expect([code, signal], `step ${step}`).toEqual(isKilled ? [null, 'SIGKILL'] : [0, null]);
      seen.push(...placesOf(await store.postings([keyOf('alpha')], 9)));
      expect(await store.verify()).toEqual([]);
      await add(store, indexWords({ 'c.txt': 'function beta' }), { repository: 'there' });
      expect(readdirSync(place).filter((name) => !/^(?:[\w-]+\.sqlite|list\.json)$/.test(name))).toEqual([]);
      expect(seen).toHaveLength(Math.ceil(step / stride));
      await store.close();
    }
    expect([...new Set(seen)]).toEqual(['a.txt 0:9-0:14 defined', 'b.txt 0:9-0:14 defined']);
  });

  it('IDX-15 says what is wrong with a file that is damaged', async () => {
    const folder = path.join(temporaryFolder(), 'index');
    const store = await openEmbeddedStore(folder);
    await add(store, indexWords({ 'a.txt': 'function alpha' }));
    await store.close();
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.sqlite'));
    writeFileSync(path.join(folder, name), Buffer.alloc(40_000, 7));
    const again = await openEmbeddedStore(folder);
    expect((await again.verify()).join()).toContain(name);
    await again.close();
  });
});
