import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { processTree } from '../../../src/platform/processes/process-tree.ts';
import { makeMemoryGroup } from '../../../src/platform/sandbox/memory-group.ts';
import { temporaryFolder } from '../../test-bridge.ts';

const own = makeMemoryGroup(64 * 1024 ** 2);
own?.remove();
const none = own === undefined ? ' (skipped: this user may make no control group here)' : '';

describe('CNF-09 a control group', () => {
  it.skipIf(none !== '')(`ends a program that exceeds its memory, and knows that it did${none}`, async () => {
    const group = makeMemoryGroup(64 * 1024 ** 2);
    const tree = processTree({ kind: 'group' });
    const script = 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1));';
    const command = { file: process.execPath, args: ['-e', script], env: {}, cwd: '/' };
    const child = tree.spawn({ ...command, joins: group?.entry ?? '' });
    const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
    expect(signal).toBe('SIGKILL');
    expect(group?.exceeded()).toBe(true);
    group?.remove();
    expect(existsSync(path.dirname(group?.entry ?? ''))).toBe(false);
    await tree.close();
  });

  it('is made below the first folder that takes it, with the bound in bytes', () => {
    const folder = temporaryFolder('lspan-groups-');
    const missing = { folder: path.join(folder, 'missing'), bound: 'memory.max', events: 'memory.events' };
    const group = makeMemoryGroup(1000.9, [missing, { ...missing, folder }]);
    const made = path.dirname(group?.entry ?? '');
    expect(path.dirname(made)).toBe(folder);
    expect(readFileSync(path.join(made, 'memory.max'), 'utf8')).toBe('1000');
    expect(group?.exceeded()).toBe(false);
    writeFileSync(path.join(made, 'memory.events'), 'low 0\noom 1\noom_kill 1\noom_group_kill 0\n');
    expect(group?.exceeded()).toBe(true);
  });

  it('replaces the empty ones that a killed lspan left, and no others', () => {
    const folder = temporaryFolder('lspan-groups-');
    const ofNobody = path.join(folder, `lspan-${2 ** 30}-abc`);
    const others = [`lspan-${process.pid}-abc`, 'other-1', 'lspan-x'].map((name) => path.join(folder, name));
    for (const each of [ofNobody, ...others]) mkdirSync(each);
    makeMemoryGroup(1, [{ folder, bound: 'memory.max', events: 'memory.events' }]);
    expect(existsSync(ofNobody)).toBe(false);
    expect(others.filter((each) => !existsSync(each))).toEqual([]);
  });

  it('is done without where no folder takes it', () => {
    expect(makeMemoryGroup(1, [])).toBeUndefined();
  });
});
