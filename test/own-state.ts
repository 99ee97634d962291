import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Has everything that is tested remember what it must in a folder of this run, and not in the user's. */
export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-state-'));
  process.env.XDG_STATE_HOME = folder;
  process.env.XDG_DATA_HOME = path.join(folder, 'data');
  // Nothing here connects to anywhere, and Node 20 reads all certificates in this file whenever it starts, for 80 ms.
  delete process.env.NODE_EXTRA_CA_CERTS;
  return () => rmSync(folder, { recursive: true, force: true });
}
