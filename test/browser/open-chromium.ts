import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isComplete } from '../missing-programs.ts';

const program = '/usr/bin/chromium';

/** Why there is no browser to test with here; empty when there is one. */
export function whyNoChromium(): string {
  if (process.platform !== 'linux') return 'the browser is driven as Debian installs it';
  return existsSync(program) || isComplete ? '' : 'chromium is not installed';
}

/** A browser without a window, and with a profile of its own. */
export interface OpenChromium {
  /** Rejects when the browser ends by itself. */
  readonly ended: Promise<never>;
  /** Ends it and all its processes. */
  close(): Promise<void>;
}

/** Opens a page. Names lead where `resolving` says, and nothing that is not needed for that goes out. */
export function openChromium(url: string, resolving: string): OpenChromium {
  const profile = mkdtempSync(path.join(tmpdir(), 'lspan-browser-'));
  const words = [
    '--headless=new',
    // Root, as which continuous integration runs, has no sandbox.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--no-first-run',
    `--user-data-dir=${profile}`,
    `--host-resolver-rules=${resolving}`,
    // The browser's own guard of the loopback address would keep from the server what the server must withstand.
    '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests',
  ];
  // Its processes form a group, which can be ended as one.
  const child = spawn(program, [...words, url], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    said = `${said}${chunk}`.slice(-2000);
  });
  const gone = once(child, 'close');
  const ended = gone.then(([code]) => Promise.reject(new Error(`The browser ended with ${code}: ${said}`)));
  ended.catch(() => {});
  return {
    ended,
    close: async () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
