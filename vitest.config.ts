import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What a file does to the process it runs in, or measures of it, which the files after it there would feel. Commands
 * and the log leave listeners on its output, as they may in a process that is theirs.
 */
const changesItsProcess = new RegExp(
  [
    String.raw`\bvi\.(mock|spyOn|stub\w+|useFakeTimers|setConfig)\b`,
    String.raw`\bprocess\.(env\.\w+ = |on\(|chdir|memoryUsage|getActive)`,
    String.raw`/src/frontends/(cli/commands/run-|observe/log\.ts)`,
  ].join('|'),
);

/** The servers that the tests of faults have instead of the real ones: who replaces nothing else can share a process. */
const replacesServers =
  /^vi\.mock\('\.\.\/\.\.\/src\/servers\/index\.ts', \(\) => import\('\.\/definitions\.ts'\)\);$/m;

const texts = readdirSync(path.join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll(path.sep, '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(path.join(import.meta.dirname, name), 'utf8') }));

const alone = texts
  .filter(({ text }) => changesItsProcess.test(text.replace(replacesServers, '')))
  .map(({ name }) => name);

const onOtherServers = texts
  .filter(({ name, text }) => replacesServers.test(text) && !alone.includes(name))
  .map(({ name }) => name);

/** The files that take longest begin first, or a lone worker would be left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      // A worker is kept for as long as the next file may use it too.
      if (project.name === 'alone') return -2;
      if (project.name === 'other servers') return -1;
      const place = longest.findIndex((name) => moduleId.includes(name));
      return place === -1 ? longest.length : place;
    };
    return files.sort((a, b) => rank(a) - rank(b));
  }
}

const longest = ['scenarios/', 'repository/evil-repo', 'real-servers/', 'repository/racing', 'faults/'];

export default defineConfig({
  test: {
    globalSetup: ['./test/own-state.ts', './test/fake-server/bundle-fake.js'],
    setupFiles: './test/no-warnings.ts',
    pool: 'forks',
    // Half of the time is spent waiting for servers, for timers and for the disk, so two cores keep five busy.
    maxWorkers: Math.max(5, availableParallelism()),
    // These end what hangs, and nothing else: a busy machine may be slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/summary-reporter.ts'],
    // To load what is tested costs more than most tests do, so the files share it where they can.
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      { extends: true, test: { name: 'other servers', include: onOtherServers, isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...onOtherServers],
          isolate: false,
        },
      },
    ],
  },
});
