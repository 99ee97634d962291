import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, patience } from '../../daemon/daemon-world.ts';

// The path of a socket is short.
const folder = realpathSync(mkdtempSync('/tmp/lhk-'));
const project = path.join(folder, 'p');
const environment = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: path.join(folder, 's') };

beforeAll(() => {
  mkdirSync(project);
  writeFileSync(path.join(project, 'tsconfig.json'), '{ "compilerOptions": { "strict": true } }');
  writeFileSync(path.join(project, 'a.ts'), 'export const one: number = 1;\n');
  writeFileSync(path.join(project, 'b.ts'), "import { one } from './a';\nexport const two: number = one;\n");
});

afterAll(async () => {
  await run(['stop']);
  rmSync(folder, { recursive: true });
});

describe('lspan hook', () => {
  it.each([
    { what: 'no JSON', words: ['gemini-cli'], input: 'garbage', why: /not a JSON object/ },
    { what: 'nothing', words: ['gemini-cli'], input: '', why: /not a JSON object/ },
    { what: 'another kind of JSON', words: ['codex'], input: '[]', why: /not a JSON object/ },
    { what: 'no client', words: [], input: '{}', why: /Name the client: claude-code, codex/ },
    { what: 'an unknown client', words: ['vim'], input: '{}', why: /Name the client/ },
    { what: 'an unknown flag', words: ['--fast'], input: '{}', why: /Name the client/ },
  ])('says nothing and succeeds if it is given $what', async ({ words, input, why }) => {
    const { status, printed, told } = await run(['hook', ...words], input);
    expect({ status, printed }).toEqual({ status: 0, printed: '' });
    expect(told).toMatch(why);
  });

  it('says nothing, and starts nothing, if no daemon runs', async () => {
    const { status, printed, told } = await run(['hook', 'gemini-cli'], hook('AfterTool'));
    expect({ status, printed }).toEqual({ status: 0, printed: '' });
    expect(told).toContain('No daemon is running');
    expect((await run(['status'])).printed).toContain('No daemon is running.');
  });

  it(
    'tells what an edit broke since the session began, in the form of each client, once',
    async () => {
      // A machine that has much else to do may need longer for a daemon than a hook waits.
      await expect
        .poll(async () => (await run(['hook', 'gemini-cli'], hook('SessionStart'))).told, {
          timeout: patience,
        })
        .toBe('');
      for (const [client = '', event] of [
        ['gemini-cli', 'AfterTool'],
        ['codex', 'PostToolUse'],
        ['opencode'],
      ]) {
        const began = await run(['hook', client], hook('SessionStart', client));
        expect(began).toEqual({ status: 0, printed: '', told: '' });
        writeFileSync(path.join(project, 'a.ts'), "export const one: string = 'one';\n");
        const message = await heard(client);
        const said = event === undefined ? message : contextOf(message, event);
        expect(said).toMatch(
          /^lspan: 1 error that was not there before the latest changes\nb\.ts\n {2}2:14 error/,
        );
        writeFileSync(path.join(project, 'a.ts'), 'export const one: number = 1;\n');
        expect(await run(['hook', client], hook('AfterTool', client))).toMatchObject({
          status: 0,
          printed: '',
        });
      }
    },
    4 * patience,
  );
});

/** What a hook tells; a check that goes on is told by a later one. */
async function heard(client: string): Promise<string> {
  let told = '';
  await expect
    .poll(
      async () => {
        told = (await run(['hook', client], hook('AfterTool', client))).printed.trim();
        return told;
      },
      { timeout: patience },
    )
    .toContain('not there before');
  return told;
}

function contextOf(output: string, event: string): string {
  const { hookSpecificOutput } = JSON.parse(output);
  expect(hookSpecificOutput.hookEventName).toBe(event);
  return hookSpecificOutput.additionalContext;
}

function hook(event: string, session = 'one'): string {
  return JSON.stringify({ session_id: session, cwd: project, hook_event_name: event, tool_input: {} });
}

/** Runs the built program to its end. */
function run(
  words: readonly string[],
  input = '',
): Promise<{ status: number | null; printed: string; told: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, ...words], { cwd: folder, env: environment });
    let [printed, told] = ['', ''];
    child.stdout.on('data', (data) => {
      printed += data;
    });
    child.stderr.on('data', (data) => {
      told += data;
    });
    child.on('close', (status) => resolve({ status, printed, told }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
