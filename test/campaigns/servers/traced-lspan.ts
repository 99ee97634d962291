import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { ConfineMode } from '../../../src/servers/definition.ts';
import { servers } from '../../../src/servers/index.ts';
import { tracer } from '../../evil-repo/traced-runs.ts';
import type { Folders } from './folders.ts';
import { tracedCalls } from './read-trace.ts';

/** The built lspan under strace, as a client sees it. */
export interface TracedLspan {
  call(tool: string, input: object): Promise<ToolAnswer>;
  /** Ends when lspan has ended, with all that it started. */
  close(): Promise<void>;
}

interface ToolAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** How lspan is started. */
export interface TracedOptions {
  /** The file of the built program. */
  readonly bin: string;
  readonly folders: Folders;
  /** The only server that it may use. */
  readonly server: string;
  readonly confine: ConfineMode;
  readonly environment: Readonly<Record<string, string>>;
}

/** Seconds that a call may take; a server that hangs in a trap is not waited for longer. */
const deadline = 20;

/** Starts lspan in a repository, with one server, and has its calls to the kernel written down. */
export async function startTraced(options: TracedOptions): Promise<TracedLspan> {
  const { bin, folders, environment } = options;
  const [strace = '', ...flags] = tracer(tracedCalls, folders.trace);
  const words = ['--workspace', folders.root, '--toolset', 'all', '--config', configure(options)];
  const args = ['--decode-pids=pidns', ...flags, process.execPath, bin, 'mcp', ...words];
  const child = spawn(strace, args, {
    cwd: folders.root,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const pending = new Map<number, (result: z.infer<typeof reply>['result']) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result } = reply.parse(JSON.parse(line));
    if (id !== undefined) pending.get(id)?.(result);
  });
  let last = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method: string, params: object) => {
    const id = ++last;
    const answered = new Promise<z.infer<typeof reply>['result']>((resolve) => pending.set(id, resolve));
    send({ id, method, params });
    return Promise.race([answered, ended.then(() => undefined)]);
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'campaign', version: '1' },
  });
  send({ method: 'notifications/initialized' });
  return {
    call: async (name, input) => {
      const result = await request('tools/call', { name, arguments: input });
      return {
        data: result?.structuredContent ?? {},
        isError: result === undefined || result.isError === true,
      };
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

const reply = z.object({
  id: z.number().optional(),
  result: z
    .object({
      structuredContent: z.record(z.string(), z.unknown()).optional(),
      isError: z.boolean().optional(),
    })
    .optional(),
});

function configure({ folders, server, confine }: TracedOptions): string {
  const file = path.join(folders.home, 'lspan.json');
  const limits = { readiness_s: deadline, diagnostics_s: deadline, diagnostics_cold_s: deadline };
  const others = servers.map(({ id }) => id).filter((id) => id !== server && !besides(server).includes(id));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ disabled_servers: others, deadline_s: deadline, limits, confine }));
  return file;
}

/** The servers that one cannot work without. */
function besides(server: string): readonly string[] {
  return server === 'vue' ? ['vue-typescript'] : [];
}
