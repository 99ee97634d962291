import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { limits } from '../../core/limits.ts';

/** Starts a process that outlives this one, and returns the first line that it writes, or why it could not be started. */
export async function startDetached(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly line: string } | { readonly fault: string }> {
  const child = spawn(program, args, {
    detached: true,
    cwd: '/',
    env: variables,
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  child.unref();
  const failed = once(child, 'error').then(([error]) => ({ fault: String(error) }));
  const said = firstLine(child.stdout).then((line) => ({ line }));
  return Promise.race([said, failed]).finally(() => child.stdout.destroy());
}

async function firstLine(stream: AsyncIterable<Buffer>): Promise<string> {
  let said = '';
  for await (const chunk of stream) {
    said += chunk.toString('utf8');
    if (said.includes('\n') || said.length > limits.stderrLine) break;
  }
  return said.trim();
}
