// Bundles the fake server for a run of tests, which starts it a thousand times: in one file it takes a third less to start.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleExecutable } from '../../scripts/bundle.js';

/** Has `writeScript` give the bundled server. */
export default async function setup() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-fake-'));
  // A test runs lspan as another user.
  chmodSync(folder, 0o755);
  await bundleExecutable(path.resolve(import.meta.dirname, '../../src/testing/fake-server/bin.js'), folder);
  process.env.LSPAN_FAKE_SERVER = path.join(folder, 'bin.js');
  return () => rmSync(folder, { recursive: true, force: true });
}
