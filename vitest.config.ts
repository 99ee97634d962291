import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest begin first, or a lone worker would be left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.includes(name));
      return place === -1 ? longest.length : place;
    };
    return files.sort((a, b) => rank(a) - rank(b));
  }
}

const longest = ['scenarios/', 'repository/evil-repo', 'real-servers/', 'repository/racing', 'faults/'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './test/own-state.ts',
    setupFiles: './test/no-warnings.ts',
    pool: 'forks',
    // Most of the time is spent waiting for servers, so two cores keep four busy.
    maxWorkers: Math.max(4, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 30_000,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/summary-reporter.ts'],
  },
});
