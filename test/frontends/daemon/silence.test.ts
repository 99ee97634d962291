import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { forgetSilence, noteSilence } from '../../../src/frontends/daemon/client/silence.ts';

const daemon = { pid: 7, started: 100, boot: 'b', space: 's' };
const long = limits.daemon.hung / 1_000;

function place() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-silence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { silence: path.join(folder, 'x.silent') };
}

/** The verdict on each hello that was not answered, at these seconds. */
function verdicts(
  at: readonly number[],
  here = place(),
  of: (index: number) => typeof daemon = () => daemon,
) {
  return at.map((now, index) => noteSilence(here, of(index), now));
}

it('a daemon that leaves several hellos unanswered for long counts as hung', () => {
  expect(verdicts([0, 3, 6, long, long + 1])).toEqual([false, false, false, true, true]);
});

it('few hellos, or many in a short time, are not enough', () => {
  expect(verdicts([0, long, 2 * long])).toEqual([false, false, false]);
  expect(verdicts([0, 1, 2, 3, 4, 5])).not.toContain(true);
});

it.each([{ pid: 8 }, { started: 101 }, { boot: 'c' }, { space: 't' }])(
  'the silence of one process is not held against another one: %o',
  (other) => {
    const both = (index: number) => (index < 3 ? daemon : { ...daemon, ...other });
    expect(verdicts([0, 1, 2, long, 2 * long], place(), both)).not.toContain(true);
  },
);

it('an answered hello starts anew', () => {
  const here = place();
  verdicts([0, 1, 2], here);
  forgetSilence(here);
  expect(existsSync(here.silence)).toBe(false);
  expect(verdicts([long, long + 1], here)).toEqual([false, false]);
});

it('a file that says nothing, and one that others may write, count as none', () => {
  const here = place();
  writeFileSync(here.silence, '{"pid":', { mode: 0o600 });
  expect(verdicts([0], here)).toEqual([false]);
  rmSync(here.silence);
  writeFileSync(here.silence, JSON.stringify({ ...daemon, since: 0, times: 99 }), { mode: 0o666 });
  expect(verdicts([long], here)).toEqual([false]);
});
