import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import { runToken } from '../../../../src/frontends/cli/commands/run-token.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { temporaryFolder } from '../../../config/temporary-folder.ts';

/** A command line with its own state folder. */
function openShell() {
  const state = temporaryFolder();
  const around = { environment: { XDG_STATE_HOME: state }, cwd: state, home: state };
  const file = path.join(state, 'lspan', 'token');
  const run = async (words: string) => {
    const told: string[] = [];
    const command = parseCommandLine(['token', ...words.split(' ')]);
    if (command.kind !== 'token') return expect.unreachable();
    const code = await runToken(command, around, async (text) => void told.push(text));
    return { code, told: told.join('') };
  };
  return { run, file, stored: () => readFileSync(file, 'utf8') };
}

describe('lspan token', () => {
  it('show does not create a token, but says how to', async () => {
    const { run, stored } = openShell();
    const failure = run('show');
    await expect(failure).rejects.toThrow(/^There is no token yet\. .* lspan token rotate$/);
    // Other codes than `invalid_input` end with exit code 1.
    await expect(failure).rejects.toMatchObject({ code: 'not_found' });
    expect(stored).toThrow('ENOENT');
  });

  it('path prints the file, whether it exists or not', async () => {
    const { run, file } = openShell();
    expect(await run('path')).toEqual({ code: 0, told: `${file}\n` });
  });

  it('rotate prints the new token, the only valid one; show prints it too', async () => {
    const { run, stored } = openShell();
    const before = await run('rotate');
    const { code, told } = await run('rotate');
    expect(code).toBe(0);
    expect(told).toMatch(/^[\w-]{43}\n$/);
    expect(told).not.toBe(before.told);
    expect(stored()).toBe(told);
    expect(await run('show')).toEqual({ code: 0, told });
  });

  it(`rotate --keep prints the new token and keeps the others valid, up to ${limits.http.tokens}`, async () => {
    const { run } = openShell();
    const made: string[] = [];
    for (let count = 0; count < limits.http.tokens; count += 1) made.push((await run('rotate --keep')).told);
    expect((await run('show')).told).toBe(made.join(''));
    await expect(run('rotate --keep')).rejects.toMatchObject({
      code: 'limit_exceeded',
      nextStep: expect.stringContaining('lspan token rotate'),
    });
  });

  it('INF-02 no error contains a token, whatever is wrong', async () => {
    const { run, file } = openShell();
    const token = 'q7Zc0aXH-2v_Wm9Rk4LtYb1NsUe6Fd3PjGoAhCiQxDw';
    mkdirSync(path.dirname(file), { mode: 0o700 });
    for (const [text, mode] of [
      [`${token}x\n`, 0o600],
      [`${token}\n`, 0o644],
      [`${token}\n# ${token}\n`, 0o600],
      [`${token}\n`.repeat(100), 0o600],
    ] as const) {
      writeFileSync(file, text);
      chmodSync(file, mode);
      for (const words of ['show', 'rotate --keep']) {
        const thrown = await run(words).catch((error: unknown) => error);
        if (!(thrown instanceof LspanError)) return expect.unreachable();
        expect(thrown.code).toBe('refused');
        expect(`${thrown.message} ${thrown.nextStep} ${thrown.stack}`).not.toContain(token.slice(0, 8));
        expect(thrown.cause).toBeUndefined();
      }
    }
  });
});

it.each([
  [[], 'Use one of: lspan token show, lspan token path, lspan token rotate. See: lspan help token'],
  [['secret'], 'Use one of'],
  [['rotate', 'secret'], 'Use one of'],
  [['show', '--keep'], '--keep goes with lspan token rotate.'],
  [['rotate', '--token=secret'], 'Unknown flag --token.'],
  [['rotate', '--keep=secret'], '--keep takes no value.'],
  [['rotate', '--config', 'secret'], 'Unknown flag --config.'],
])('INF-02 lspan token %j is refused without quoting it: it could be a token', (words, told) => {
  const parse = () => parseCommandLine(['token', ...words]);
  expect(parse).toThrow(told);
  expect(parse).not.toThrow('secret');
});
