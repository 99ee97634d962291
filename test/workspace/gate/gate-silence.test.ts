import * as realFs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

/** What the code under test asked the disk about, by path. */
const asked: string[] = vi.hoisted(() => []);

vi.mock('node:fs', async (original) => {
  const real = await original<typeof realFs>();
  const wrapped = Object.entries(real).map(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Sync')) return [name, value];
    const noting = (...args: unknown[]) => {
      asked.push(String(args[0]));
      return Reflect.apply(value, real, args);
    };
    return [name, Object.assign(noting, value)];
  });
  return { ...real, ...Object.fromEntries(wrapped) };
});

test('BND-10 BND-18 INF-05 the disk is never asked about paths outside', async () => {
  const world = temporaryFolder({ 'app/a.ts': 'x', 'secrets/x.ts': 'y' });
  const root = path.join(world, 'app');
  realFs.symlinkSync(path.join(world, 'secrets'), path.join(root, 'out'));
  const { workspace, refresh } = await openSandbox([root], { watch: 'scan' });
  await refresh();
  asked.length = 0;
  const outside = [
    '/etc/passwd',
    '/net/host/x',
    '../secrets/x.ts',
    'file://host/share/x',
    '\\\\host\\share',
    'http://h/x',
    'out/x.ts',
    'out/missing',
  ];
  for (const given of outside) await expect(workspace.resolve(given)).rejects.toThrow();
  for (const uri of [
    'file:///etc/passwd',
    'file://host/x',
    'jar:file:///x',
    `file://${world}/secrets/x.ts`,
    `file://${root}/out/x.ts`,
  ])
    expect(workspace.fromUri(uri).standing).toBe('outside');
  await expect(workspace.read('/etc/passwd')).rejects.toThrow();
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((each) => !each.startsWith(root))).toEqual([]);
});

test('reading a cached watched file, or resolving its URI, does not touch the disk', async () => {
  const root = temporaryFolder({ 'a.ts': 'x' });
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  const file = await workspace.resolve('a.ts');
  await workspace.read(file);
  await refresh();
  asked.length = 0;
  expect((await workspace.read(file)).text).toBe('x');
  expect(workspace.fromUri(`file://${file}`)).toEqual({ path: file, standing: 'inside' });
  expect(asked).toEqual([]);
});
