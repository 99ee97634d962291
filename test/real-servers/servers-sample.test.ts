import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { combinations } from '../campaigns/servers/combinations.ts';
import { type RunOptions, runCombination } from '../campaigns/servers/run-combination.ts';
import { pinnedVersions, seenSchema } from '../campaigns/servers/versions.ts';
import { whyNotTraced } from '../evil-repo/traced-runs.ts';
import { missingPrograms } from '../missing-programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/bin.js');
const untraced = whyNotTraced();
const patience = { timeout: 240_000 };

/** A trap for each kind of crime, with servers that start fast; `npm run campaign:servers` has all. */
const sample: readonly (readonly [server: string, trap: string])[] = [
  ['typescript', 'type-acquisition-by-package'],
  ['vscode-json-language-server', 'json-schema-with-part-at-an-address'],
  ['yaml-language-server', 'yaml-schema-in-a-comment'],
  ['clangd', 'database-modules-cache'],
  ['biome', 'programs-in-search-path'],
  // cargo would write into the folder `target`, wherever it leads.
  ['rust-analyzer', 'links-of-folders-that-tools-make'],
];

describe('SUP-01 INF-06 a sample of the campaign about servers', () => {
  for (const [server, trap] of sample) {
    const why = untraced || missingPrograms(server);
    const reason = why === '' ? '' : ` (skipped: ${why})`;
    it.skipIf(why !== '')(`${server} falls for no ${trap}${reason}`, patience, async () => {
      const { crimes, states, answered } = await run(server, trap, { bin, confine: 'never' });
      expect(crimes).toEqual([]);
      expect(states).toEqual(['ready']);
      expect(answered).toBeGreaterThan(15);
    });
  }

  it.skipIf(untraced !== '')('finds what a trap does where the user has allowed it', patience, async () => {
    const options = { bin, confine: 'never', trusted: true } as const;
    const { crimes } = await run('eslint', 'configuration-eslint.config.js', options);
    expect(crimes.map(({ kind }) => kind)).toContain('mark');
    expect(crimes.find(({ kind }) => kind === 'write')?.text).toContain('/outside/mark');
  });
});

describe('the campaign about servers', () => {
  it('has at least 300 combinations of a server and a trap, each of its own name', () => {
    const names = combinations.map(({ project, trap }) => `${project.server} ${trap.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(300);
  });

  it('has seen the versions of the servers that are installed by npm', () => {
    const golden = path.join(root, 'test/campaigns/servers/versions.golden.json');
    const { npm } = seenSchema.parse(JSON.parse(readFileSync(golden, 'utf8')));
    const pinned = pinnedVersions(root);
    const changed = [...new Set([...Object.keys(npm), ...Object.keys(pinned)])].filter(
      (name) => npm[name] !== pinned[name],
    );
    const told = changed.map((name) => `${name} ${npm[name] ?? '(new)'} -> ${pinned[name] ?? '(gone)'}`);
    expect(told, 'Run `npm run campaign:servers`: it has not seen these versions').toEqual([]);
  });
});

function run(server: string, name: string, options: RunOptions) {
  const found = combinations.find(({ project, trap }) => project.server === server && trap.name === name);
  if (found === undefined) throw new Error(`There is no trap ${name} for ${server}.`);
  return runCombination(found, options);
}
