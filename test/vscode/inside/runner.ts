// Stands for vitest within VS Code: the same cases run there, with the same `expect`.
import { appendFileSync } from 'node:fs';
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import * as chai from 'chai';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

/** The `expect` of vitest. */
export const { expect } = chai;

type Body = () => unknown;

interface Test {
  readonly title: string;
  readonly body: Body;
  readonly isSkipped: boolean;
}

const titles: string[] = [];
const tests: Test[] = [];
const finished: Body[] = [];

/** Groups tests under a title. */
export function describe(title: string, define: Body): void {
  titles.push(title);
  define();
  titles.pop();
}

/** Defines a test. */
export const it = Object.assign((title: string, body: Body) => add(title, body, false), {
  skipIf: (isSkipped: boolean) => (title: string, body: Body) => add(title, body, isSkipped),
});

function add(title: string, body: Body, isSkipped: boolean): void {
  tests.push({ title: [...titles, title].join(' > '), body, isSkipped });
}

/** Runs a function after the present test. */
export function onTestFinished(end: Body): void {
  finished.push(end);
}

/** Runs all tests one after the other, and writes a line for each to a file. Rejects if one failed. */
export async function runTests(file: string, time: number): Promise<void> {
  let failures = 0;
  for (const { title, body, isSkipped } of tests) {
    const began = Date.now();
    const error = isSkipped ? undefined : await failureOf(body, time);
    for (const end of finished.splice(0).reverse()) await end();
    if (error !== undefined) failures += 1;
    const state = isSkipped ? 'skipped' : error === undefined ? 'passed' : 'failed';
    appendFileSync(file, `${JSON.stringify({ title, state, ms: Date.now() - began, error })}\n`);
  }
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}

async function failureOf(body: Body, time: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${time / 1000} s.`)), time);
  });
  const run = Promise.race([Promise.resolve().then(body), late]);
  return run.then(() => undefined, explain).finally(() => clearTimeout(timer));
}

function explain(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { actual, expected } = { actual: undefined, expected: undefined, ...thrown };
  const compared =
    actual === undefined && expected === undefined
      ? ''
      : `\nactual: ${JSON.stringify(actual)}\nexpected: ${JSON.stringify(expected)}`;
  return `${thrown.stack ?? thrown.message}${compared}`;
}
