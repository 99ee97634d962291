import { defaultConfig } from '../src/config/default-config.ts';
import { openSandbox } from '../src/platform/sandbox/open-sandbox.ts';
import type { ConfineMode } from '../src/servers/definition.ts';

/** Why nothing can be confined on this machine; empty if it can. */
export const unconfinable: string = await findFault();

/**
 * When the servers of tests are confined: as `LSPAN_TEST_CONFINE` says (`always`, `untrusted`, `never`), else by default.
 * Never where it is impossible, since every status would say so.
 */
export const confineInTests: ConfineMode = unconfinable === '' ? wanted() : 'never';

/** The title of a test that needs a sandbox: it says why the test is skipped where there is none. */
export function inSandbox(title: string): string {
  return unconfinable === '' ? title : `${title} (skipped: ${unconfinable})`;
}

function wanted(): ConfineMode {
  const modes: readonly ConfineMode[] = ['always', 'untrusted', 'never'];
  return modes.find((mode) => mode === process.env.LSPAN_TEST_CONFINE) ?? defaultConfig.confine;
}

async function findFault(): Promise<string> {
  const sandbox = openSandbox((process.env.PATH ?? '').split(':'));
  return typeof sandbox === 'string' ? sandbox : ((await sandbox.fault()) ?? '');
}
