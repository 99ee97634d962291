import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints `N passed, N failed, N skipped` as the very last line of a run. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that could not be loaded has no tests, and still did not pass.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const summary = `${count('passed')} passed, ${count('failed') + broken} failed, ${count('skipped')} skipped`;
    // Other reporters print at the end of the run too, so this waits for the end of the process.
    process.once('exit', () => writeSync(1, `${summary}\n`));
  }
}
