import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { examples, ownEnvironment, run, temporaryFolder } from './run-example.ts';

const root = path.resolve(examples, '..');

/** A block of a page: its language, its text, and where the text stands. */
interface Block {
  readonly language: string;
  readonly text: string;
  readonly from: number;
}

/** The page with everything in it that is shown of lspan as it is now: what snippets print, what requests are answered. */
export async function playPage(page: string): Promise<string> {
  const blocks = blocksOf(page);
  const bootstrap = blocks.find(({ language }) => language === 'json')?.text ?? '{}';
  let played = '';
  let at = 0;
  let printed: string | undefined;
  for (const { language, text, from } of blocks) {
    const now =
      language === 'rpc' ? await playMessages(text, bootstrap) : language === 'text' ? printed : undefined;
    played += page.slice(at, from) + (now ?? text);
    at = from + text.length;
    printed = language === 'js' ? await runSnippet(text) : undefined;
  }
  return played + page.slice(at);
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ({ 0: whole, 1: language = '', 2: text = '', index }) => ({
      language,
      text,
      from: index + whole.indexOf('\n') + 1,
    }),
  );
}

/** A copy of the demo, beside which lspan is installed. */
function makePlace(): string {
  const folder = temporaryFolder('lspan-page-');
  cpSync(path.join(root, 'demo'), path.join(folder, 'project'), { recursive: true });
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(root, path.join(folder, 'node_modules/lspan'));
  symlinkSync(path.join(root, 'dist/bin.js'), path.join(folder, 'node_modules/.bin/lspan'));
  return folder;
}

/** What a snippet prints. */
async function runSnippet(text: string): Promise<string> {
  const folder = makePlace();
  const script = path.join(folder, 'snippet.mjs');
  writeFileSync(script, text);
  const { code, printed, told } = await run(process.execPath, [script], path.join(folder, 'project'), {
    PATH: `${path.join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
  });
  if (code !== 0 || told !== '') throw new Error(`A snippet ended with ${code}: ${told}\n${text}`);
  return steady(printed, folder);
}

/** Sends what a block sends, each message when the one before has been answered, and writes down the answers. */
async function playMessages(block: string, bootstrap: string): Promise<string> {
  const folder = makePlace();
  const project = path.join(folder, 'project');
  const host = await openHost(bootstrap.replaceAll('/path/to/project', project));
  const lines: string[] = [];
  if (block.startsWith('<')) lines.push(`< ${JSON.stringify(host.ready)}`);
  for (const line of block.split('\n').filter((one) => one.startsWith('> '))) {
    const answer = await host.send(line.slice(2).replaceAll('/path/to/project', project));
    lines.push(line, ...(answer === undefined ? [] : [`< ${JSON.stringify(answer)}`]));
  }
  await host.end();
  return steady(`${lines.join('\n')}\n`, folder);
}

interface Framing {
  encode(message: unknown): Buffer;
  decode(bytes: Buffer): { readonly message: Message; readonly rest: Buffer } | undefined;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Starts `lspan host` without MCP, and speaks frames to it as the example does. */
async function openHost(bootstrap: string) {
  const { frames }: { frames: Framing } = await import(path.join(examples, 'host/channel.mjs'));
  const words = [path.join(root, 'dist/bin.js'), 'host', '--no-mcp', '--log-level', 'error'];
  const child = spawn(process.execPath, words, {
    env: { ...ownEnvironment(), LSP_BOOTSTRAP: bootstrap },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const heard: Message[] = [];
  const waiting = new Set<() => void>();
  let bytes = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let found = frames.decode(bytes); found; found = frames.decode(bytes)) {
      bytes = Buffer.from(found.rest);
      heard.push(found.message);
    }
    for (const wake of waiting) wake();
  });
  const message = (wanted: (one: Message) => boolean) =>
    new Promise<Message>((resolve, reject) => {
      child.once('close', (code) => reject(new Error(`lspan has ended with ${code}.`)));
      const look = () => {
        const found = heard.find(wanted);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const ready = await message(({ method }) => method === 'lsp/ready');
  return {
    ready,
    send: async (text: string) => {
      const sent: Message = JSON.parse(text);
      child.stdin.write(frames.encode(sent));
      return sent.id === undefined ? undefined : message(({ id, method }) => id === sent.id && !method);
    },
    end: async () => {
      const closed = child.exitCode === null ? once(child, 'close') : undefined;
      child.stdin.on('error', () => {}).end();
      await closed;
    },
  };
}

/** Without what differs between machines and runs. */
function steady(text: string, folder: string): string {
  return text.replaceAll(path.join(folder, 'project'), '/path/to/project').replaceAll(/\d+ MB/g, '48 MB');
}
