import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type InstallContext, installUnit } from '../../../src/frontends/install/install-unit.ts';
import type { InstallUnit } from '../../../src/frontends/install/manifest.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

const unit: InstallUnit = {
  name: 'fake@1.2.3',
  dependencies: { fake: '1.2.3' },
  packages: { 'node_modules/fake': { version: '1.2.3', integrity: 'sha512-x' } },
};

/** An npm that is a script of Node, run in the folder that it fills. */
function contextWith(script: string): InstallContext & { readonly progress: number[] } {
  const folder = temporaryFolder({ npm: `#!/usr/bin/env node\n${script}\n` });
  const npm = path.join(folder, 'npm');
  chmodSync(npm, 0o755);
  const progress: number[] = [];
  return {
    npm,
    folder: path.join(folder, 'servers'),
    environment: process.env,
    onProgress: (fetched) => void progress.push(fetched),
    progress,
  };
}

const fills = `
const fs = require('node:fs');
fs.mkdirSync('node_modules/fake', { recursive: true });
fs.writeFileSync('node_modules/fake/package.json', '{}');
console.error('npm http fetch GET 200 fake 3ms');`;

describe.skipIf(process.platform === 'win32')('an install', () => {
  it('gives npm the locked packages, and appears under its name when npm has succeeded', async () => {
    const context = contextWith(fills);
    expect(await installUnit(unit, context)).toBe(true);
    expect(readdirSync(context.folder)).toEqual(['fake@1.2.3']);
    const read = (name: string): unknown =>
      JSON.parse(readFileSync(path.join(context.folder, 'fake@1.2.3', name), 'utf8'));
    expect(read('package.json')).toMatchObject({ dependencies: { fake: '1.2.3' } });
    expect(read('package-lock.json')).toMatchObject({ lockfileVersion: 3, packages: unit.packages });
    expect(context.progress).toEqual([1]);
  });

  it('does nothing if it is there', async () => {
    const context = contextWith(fills);
    await installUnit(unit, context);
    expect(await installUnit(unit, { ...context, npm: '/nowhere' })).toBe(false);
  });

  it('leaves nothing if npm fails, and tells the reason', async () => {
    const context = contextWith(`
      console.error('npm error code ENOTFOUND');
      console.error('npm error request to the registry failed, reason: getaddrinfo ENOTFOUND registry');
      process.exitCode = 1;`);
    await expect(installUnit(unit, context)).rejects.toThrow(
      'npm could not install fake@1.2.3: the registry cannot be reached: request to the registry failed, reason: getaddrinfo ENOTFOUND registry. Nothing was changed.',
    );
    expect(readdirSync(context.folder)).toEqual([]);
  });

  it('says so if npm cannot be started', async () => {
    const context = { ...contextWith(''), npm: '/nowhere/npm' };
    await expect(installUnit(unit, context)).rejects.toThrow('npm could not install fake@1.2.3');
    expect(readdirSync(context.folder)).toEqual([]);
  });

  it('replaces an earlier version, and no other package', async () => {
    const context = contextWith(fills);
    for (const name of ['fake@1.0.0', 'faker@1.0.0', 'fake@1.0.0+1'])
      mkdirSync(path.join(context.folder, name), { recursive: true });
    await installUnit(unit, context);
    expect(readdirSync(context.folder).sort()).toEqual(['fake@1.0.0+1', 'fake@1.2.3', 'faker@1.0.0']);
  });

  it('removes what a process that is gone has left, and nothing of one that runs', async () => {
    const context = contextWith(fills);
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    const id = '00000000-0000-4000-8000-000000000000';
    const [left, kept] = [`.fake@1.2.3.${gone.pid}.${id}`, `.other@1.0.0.${process.ppid}.${id}`];
    for (const name of [left, kept]) {
      mkdirSync(path.join(context.folder, name), { recursive: true });
      writeFileSync(path.join(context.folder, name, 'package.json'), '{');
    }
    await installUnit(unit, context);
    expect(readdirSync(context.folder).sort()).toEqual([kept, 'fake@1.2.3']);
  });

  it('of two at once one is kept, and both succeed', async () => {
    const context = contextWith(fills);
    await Promise.all([installUnit(unit, context), installUnit(unit, context)]);
    expect(readdirSync(context.folder)).toEqual(['fake@1.2.3']);
    expect(existsSync(path.join(context.folder, 'fake@1.2.3/node_modules/fake/package.json'))).toBe(true);
  });
});
