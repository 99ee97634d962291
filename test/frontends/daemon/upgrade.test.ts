import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { question } from '../../test-bridge.ts';
import { bin, daemonWorld, isRunning, startMcp } from './daemon-world.ts';

const listChanged = 'notifications/tools/list_changed';

it('DMN-21 an upgrade under a running client shows it the tools and answers of the new program, and the old daemon leaves', async () => {
  const world = daemonWorld();
  const dist = path.join(world.folder, 'dist');
  cpSync(path.dirname(bin), dist, { recursive: true });
  const { child, call } = await startMcp(world, ['--daemon'], { script: path.join(dist, 'bin.js') });
  const messages: Message[] = [];
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => messages.push(JSON.parse(line)));
  const list = async (id: string) => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`);
    await expect.poll(() => messages.find((message) => message.id === id)).toBeDefined();
    const { tools = [] } = messages.find((message) => message.id === id)?.result ?? {};
    return tools.find(({ name }) => name === 'find_references')?.title;
  };
  const before = await list('before');
  expect((await call(question.tool, question.input)).isError).toBeUndefined();
  const old = await world.pid();
  expect(messages.some(({ method }) => method === listChanged)).toBe(false);

  replaceText(dist, `"title":"${before}"`, '"title":"Find all uses"');
  writeFileSync(path.join(dist, 'build-id'), 'another\n');
  expect((await call(question.tool, question.input)).isError).toBeUndefined();

  await expect.poll(() => messages.some(({ method }) => method === listChanged)).toBe(true);
  expect(await list('after')).toBe('Find all uses');
  await expect.poll(() => isRunning(old)).toBe(false);
  expect(await world.pid()).not.toBe(old);
});

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly tools?: readonly { readonly name: string; readonly title: string }[] };
}

function replaceText(folder: string, from: string, to: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  const texts = files
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  expect(texts.some(({ text }) => text.includes(from))).toBe(true);
  for (const { file, text } of texts) if (text.includes(from)) writeFileSync(file, text.replaceAll(from, to));
}
