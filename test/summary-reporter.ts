import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints `N passed, N failed, N skipped` as the very last line of a run. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const failed = failedTests(count('failed'), broken);
    const summary = `${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`;
    // Other reporters print at the end of the run too, so this waits for the end of the process.
    process.once('exit', () => writeSync(1, `${summary}\n`));
  }
}

/** Counts tests as vitest does; what is broken without a failed test, such as a file that cannot be loaded, counts too. */
export function failedTests(failed: number, broken: number): number {
  return failed > 0 ? failed : broken;
}
