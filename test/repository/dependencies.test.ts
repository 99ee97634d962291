import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const manifest: Manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const lock: { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Locked>> } =
  JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
/** What a user of lspan gets. */
const installed = Object.entries(lock.packages).filter(([name, { dev }]) => name !== '' && !dev);

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

describe('SUP-12 what a user installs', () => {
  it('depends on at most five packages, by exact versions', () => {
    const versions = Object.values(manifest.dependencies);
    expect(versions.length).toBeLessThanOrEqual(5);
    expect(versions.filter((version) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('is locked to its content, package by package, and each has a licence', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(installed.length).toBeGreaterThan(2);
    for (const [name, { version, integrity, license }] of installed) {
      expect(integrity, name).toMatch(/^sha512-/);
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(license, name).toMatch(/^(MIT|Apache-2\.0|ISC|Unlicense|BSD-[23]-Clause)$/);
    }
  });

  it('runs no script when it is installed, so that `npm ci --ignore-scripts` is enough', () => {
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    const hooks = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
    expect(hooks.filter((hook) => hook in manifest.scripts)).toEqual([]);
  });

  it('tells the licences of the code that is bundled into it', () => {
    const licences = readFileSync(path.join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const listed = [...licences.matchAll(/^-{70,}\n(\S+) \d+\.\d+\.\d+ \((.+)\)$/gm)];
    const names = listed.map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['@modelcontextprotocol/server', 'zod']));
    for (const [, name, licence] of listed)
      expect(licence, name).toMatch(/^(MIT|Apache-2\.0|ISC|Unlicense|BSD-[23]-Clause)$/);
  });

  it('can be listed as a bill of materials', () => {
    const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' });
    const bill: { readonly components: readonly { readonly version: string }[] } = JSON.parse(printed);
    expect(bill.components).toHaveLength(installed.length);
  });
});
