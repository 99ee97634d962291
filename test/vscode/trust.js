// Trust that is granted by a person in the page: the server runs from then on, and not before.
import { setTimeout as pause } from 'node:timers/promises';
import { command } from './outside.js';

/** The port of the server in this session. */
export const port = 47_391;

/** Grants trust in the page, and looks whether somebody listens. */
export async function tryTrust({ page, within }) {
  // The extension is under development here, so that VS Code runs it in Restricted Mode too: it must stay off by itself.
  await page.locator('.statusbar-item', { hasText: 'MCP' }).waitFor({ timeout: 60_000 });
  if (await isServed()) throw new Error('The server runs before the folder is trusted.');
  await command(page, 'Workspaces: Manage Workspace Trust');
  const yes = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^\s*Trust\s*$/ }).first();
  await yes.waitFor({ timeout: 30_000 });
  await yes.click();
  await within(90_000, 'the server after trust was granted', becomes(true));
  console.log('✓ trust > the server runs once the folder is trusted');
}

async function becomes(wanted) {
  while ((await isServed()) !== wanted) await pause(200);
}

async function isServed() {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
  return answer?.ok === true;
}
