import { openBubblewrap } from './bubblewrap.ts';
import type { Sandbox } from './sandbox.ts';
import { openSeatbelt } from './seatbelt.ts';

/** Returns the sandbox of this platform, or why there is none, as the end of a sentence. Starts nothing. */
export function openSandbox(
  programFolders: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Sandbox | string {
  if (platform === 'linux') return openBubblewrap(programFolders);
  if (platform === 'darwin') return openSeatbelt();
  return 'lspan has no sandbox for this system yet';
}
