import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { splitWords } from '../../../src/core/wording/shell-words.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import { question } from '../../test-bridge.ts';
import { isRunning, startMcp } from '../daemon/daemon-world.ts';
import { copyBuild } from '../daemon/other-build.ts';
import { type ViaWorld, viaWorld } from './via-world.ts';

const shownAnswer = 'a.txt\n  1:10 function alpha';

/** Writes a program into the folder of a world, which is on its PATH then. */
function stub({ folder, environment }: ViaWorld, name: string, lines: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  environment.PATH = `${folder}:${process.env.PATH}`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' ');
}

/** The flags of a command in the project, through another one. */
function viaFlags({ via, program }: ViaWorld): readonly string[] {
  return ['--via', quoted(via), '--via-program', quoted(program)];
}

describe('lspan at the far end of a command', () => {
  it('VIA-01 answers an MCP client as if it were here, and leaves nothing when the client goes', async () => {
    const world = viaWorld();
    const { child, call } = await startMcp(world, viaFlags(world));
    expect((await call(question.tool, question.input)).content[0]?.text).toContain(shownAnswer);
    const pids = [...world.joining(), ...world.far(), ...world.servers()];
    expect(pids).toHaveLength(3);
    child.stdin?.end();
    await once(child, 'exit');
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('VIA-06 ends with its servers when lspan here is killed', async () => {
    const world = viaWorld();
    const { child, call } = await startMcp(world, viaFlags(world));
    await call(question.tool, question.input);
    const pids = [...world.joining(), ...world.far(), ...world.servers()];
    child.kill('SIGKILL');
    for (const pid of pids) await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('VIA-01 answers commands of the shell, and undoes there what it did there', async () => {
    const world = viaWorld();
    const flags = [...viaFlags(world), ...world.flags];
    const rename = { symbol_name: 'alpha', file_path: 'a.txt', new_name: 'gamma' };
    const renamed = await world.run('call', 'rename_symbol', JSON.stringify(rename), '--apply', ...flags);
    expect(renamed).toMatchObject({ code: 0, out: expect.stringContaining('Done: rename alpha to gamma') });
    expect(readFileSync(path.join(world.root, 'b.txt'), 'utf8')).toBe('gamma is used\nfunction beta\n');
    expect(await world.run('undo', ...flags)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(world.root, 'b.txt'), 'utf8')).toBe('alpha is used\nfunction beta\n');
  });

  it.each([
    ['docker exec -i web', ['exec', '-i', 'web'], 3],
    ['kubectl exec -i "my pod" --', ['exec', '-i', 'my pod', '--'], 4],
  ])('VIA-02 gets the words of %s as they are (a stand-in that records them)', async (given, words, most) => {
    const world = viaWorld();
    const [name = ''] = given.split(' ');
    const argv = path.join(world.folder, 'argv');
    stub(world, name, `printf '%s\\n' "$@" >'${argv}'\nshift ${most}\nexec ${quoted(world.via)} "$@"`);
    const bridge = await world.openVia({ via: splitWords(given) ?? [] });
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
    expect(readFileSync(argv, 'utf8').split('\n').slice(0, -1)).toEqual([
      ...words,
      ...world.program,
      'channel',
    ]);
  });

  it('VIA-02 is found behind the lines that the files of a shell write there', async () => {
    const world = viaWorld();
    stub(world, 'noisy', `echo Welcome to this machine\nexec ${quoted(world.via)} "$@"`);
    const bridge = await world.openVia({ via: ['noisy'] });
    expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
  });
});

describe('a far end that cannot be used', () => {
  /** What is told of a far end, and what to do. */
  const failure = async (world: ViaWorld, via: readonly string[], program?: readonly string[]) => {
    const thrown = await world.openVia({ via, ...(program && { program }) }).catch((error: unknown) => error);
    if (!(thrown instanceof LspanError)) return expect.unreachable();
    return thrown;
  };

  it('VIA-03 without lspan says exactly what to run', async () => {
    const world = viaWorld();
    stub(world, 'ssh', 'shift\nexec "$@"');
    const input = JSON.stringify(question.input);
    const { code, err } = await world.run('call', question.tool, input, '--via', 'ssh host', ...world.flags);
    expect(code).toBe(1);
    expect(err).toContain('lspan is not at the far end of ssh host (exit code 127');
    expect(err).toContain("Run: lspan bundle lspan.cjs && ssh host sh -c 'cat >lspan.cjs' <lspan.cjs");
    expect(err).toContain('Then add: --via-program "node lspan.cjs"');
  });

  it('VIA-03 with another build of lspan says which, and what to run', async () => {
    const world = viaWorld();
    const { script } = copyBuild(world);
    const { code, message, nextStep } = await failure(world, world.via, [process.execPath, script]);
    expect(code).toBe('not_installed');
    expect(message).toMatch(/is 0\.\d+\.\d+ \(build other\), and here 0\.\d+\.\d+ \(build [0-9a-f]{16}\)/);
    expect(nextStep).toContain("sh -c 'cat >/tmp/lspan.cjs' <lspan.cjs");
  });

  it('VIA-03 that ends, or says something else, says how and why', async () => {
    const world = viaWorld();
    stub(world, 'ssh', 'echo "ssh: no route to host" >&2\nexit 255');
    expect((await failure(world, ['ssh', 'host'])).message).toBe(
      'The command ssh host ended with code 255: ssh: no route to host.',
    );
    stub(world, 'chatty', 'while echo no greeting; do :; done');
    expect((await failure(world, ['chatty'])).message).toContain('The command chatty');
    stub(world, 'old', 'echo "lspan: Unknown command channel." >&2\nexit 2');
    expect((await failure(world, ['old'])).message).toContain('is an older one');
  });

  it('VIA-03 whose command is not on this machine says so', async () => {
    const { message } = await failure(viaWorld(), ['no-such-program', 'host']);
    expect(message).toBe('The program no-such-program of --via is not on your PATH.');
  });

  it('VIA-03 without the folder of the workspace says so', async () => {
    const world = viaWorld();
    const missing = path.join(world.folder, 'missing');
    const { code, err } = await world.run(
      ...['call', question.tool, JSON.stringify(question.input), '--workspace', missing],
      ...viaFlags(world),
    );
    expect(code).toBe(2);
    expect(err).toContain(`The workspace ${missing} does not exist`);
  });

  it.each([['--daemon'], ['--trace=t'], ['--after-edit'], ['--via=x']])(
    'VIA-03 is not reached with %s, which is about this machine, or twice',
    (flag) => {
      expect(() => parseCommandLine(['mcp', '--via', 'ssh host', flag])).toThrow(/--via/);
    },
  );
});
