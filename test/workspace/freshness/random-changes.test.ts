import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSandbox, type Sandbox, temporaryFolder } from '../sandbox.ts';

describe.each(['auto', 'scan'] as const)('random changes by another process, by %s', (watch) => {
  test('after every barrier the reported changes, the files and their texts match the disk', async () => {
    const { root, writer, sandbox, model } = await start(watch);
    for (let done = 0; done < 300; done += 6) {
      writer.send(6);
      await once(writer, 'message');
      await expectAsOnDisk(root, sandbox, model);
    }
  });

  test('changes made during barriers are all reported after the last one', async () => {
    const { root, writer, sandbox, model } = await start(watch);
    const finished = { yet: false };
    writer.send(300);
    const ended = once(writer, 'message').then(() => {
      finished.yet = true;
    });
    while (!finished.yet) {
      await apply(sandbox, model);
      await nextTurn();
    }
    await ended;
    await expectAsOnDisk(root, sandbox, model);
  });
});

async function start(watch: 'auto' | 'scan') {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.log(`random changes by ${watch}: seed ${seed}`);
  const root = temporaryFolder({ '.gitignore': '*.log\n', 'a/b/c.ts': '', 'd.ts': '' });
  const sandbox = await openSandbox([root], { watch });
  await sandbox.refresh();
  const writer = startWriter(root, seed);
  return { root, writer, sandbox, model: new Set(sandbox.files()) };
}

function startWriter(root: string, seed: number): ChildProcess {
  const writer = fork(path.join(import.meta.dirname, '../random-writer.js'), [String(seed)], { cwd: root });
  onTestFinished(async () => {
    writer.disconnect();
    if (writer.exitCode === null) await once(writer, 'exit');
  });
  return writer;
}

async function apply({ refresh }: Sandbox, model: Set<string>): Promise<void> {
  const { changes, doubts } = await refresh();
  expect(doubts).toEqual([]);
  for (const [file, kind] of Object.entries(changes)) {
    if (kind === 'deleted') expect(model.delete(file), `${file} deleted`).toBe(true);
    else if (kind === 'changed') expect(model.has(file), `${file} changed`).toBe(true);
    else model.add(file);
  }
}

async function expectAsOnDisk(root: string, sandbox: Sandbox, model: Set<string>): Promise<void> {
  await apply(sandbox, model);
  const onDisk = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.log'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
  expect(sandbox.files()).toEqual(onDisk);
  expect([...model].sort()).toEqual(onDisk);
  for (const file of onDisk) {
    const { text } = await sandbox.workspace.read(path.join(root, file));
    expect(text, file).toBe(readFileSync(path.join(root, file), 'utf8'));
  }
}
