import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { indexWords } from '../../backends/index/write-scip.ts';
import { question } from '../../test-bridge.ts';
import { outputOf, startMcp } from '../daemon/daemon-world.ts';
import { type ViaWorld, viaWorld } from './via-world.ts';

/** Writes a bundle, and copies it into an empty folder; returns its path there. */
async function copiedBundle({ run, folder }: ViaWorld): Promise<string> {
  const written = path.join(folder, 'lspan.cjs');
  expect(await run('bundle', written)).toMatchObject({ code: 0, err: '' });
  const alone = mkdtempSync('/tmp/lsb-');
  onTestFinished(() => rmSync(alone, { recursive: true, force: true }));
  copyFileSync(written, path.join(alone, 'lspan.cjs'));
  return path.join(alone, 'lspan.cjs');
}

describe('lspan as one file', () => {
  it('VIA-07 serves MCP and examines the machine, in an empty folder and with an empty home', async () => {
    const world = viaWorld();
    const script = await copiedBundle(world);
    const { call } = await startMcp(world, [], { script });
    expect((await call(question.tool, question.input)).content[0]?.text).toContain('1:10 function alpha');
    const doctor = world.start(['doctor', '--json', ...world.flags], { script });
    let out = '';
    for await (const chunk of doctor.stdout ?? []) out += String(chunk);
    const { servers } = JSON.parse(out);
    expect(servers).toMatchObject([{ id: 'fake' }]);
    expect(readdirSync(path.dirname(script))).toEqual(['lspan.cjs']);
  });

  it('VIA-07 is the same build at a far end, and has a daemon of that build', async () => {
    const world = viaWorld();
    const script = await copiedBundle(world);
    const bridge = await world.openVia({ program: [process.execPath, script] });
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    const { call } = await startMcp(world, ['--daemon'], { script });
    await call(question.tool, question.input);
    expect((await world.status()).map(({ executable }) => executable)).toEqual([script]);
    const again = world.start(['bundle', path.join(world.folder, 'again.cjs')], { script });
    expect(await outputOf(again)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(world.folder, 'again.cjs')).equals(readFileSync(script))).toBe(true);
  });

  it('VIA-07 keeps indexes, with nothing beside it', async () => {
    const world = viaWorld();
    const script = await copiedBundle(world);
    const file = path.join(world.folder, 'far.scip');
    writeFileSync(file, indexWords({ 'a.txt': 'function alpha\nalpha' }));
    const run = (...words: string[]) => outputOf(world.start(['index', ...words], { script }));
    expect(await run('add', file, '--repository', 'far', '--commit', 'f00')).toMatchObject({ code: 0 });
    expect((await run('list', '--json')).out).toContain('"repository":"far","commit":"f00"');
    expect(await run('verify')).toMatchObject({ code: 0, out: expect.stringContaining('is whole') });
    expect(readdirSync(path.dirname(script))).toEqual(['lspan.cjs']);
  });

  it('VIA-07 replaces a bundle, and no other file', async () => {
    const { run, folder } = viaWorld();
    const [bundle, other, folderOf] = ['b.cjs', 'o.cjs', 'd.cjs'].map((name) => path.join(folder, name));
    writeFileSync(other ?? '', 'mine');
    mkdirSync(folderOf ?? '');
    for (const _ of [1, 2]) expect((await run('bundle', bundle ?? '')).code).toBe(0);
    for (const file of [other, folderOf, path.join(folder, 'no', 'b.cjs')])
      expect((await run('bundle', file ?? '')).code).toBe(1);
    expect((await run('bundle', 'b.mjs')).code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.startsWith('b.'))).toEqual(['b.cjs']);
  });
});
