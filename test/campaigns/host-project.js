// What the campaigns about `lspan host` share: a project of words with a fake server, and how the program is started on it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHostClient } from '../../bench/host-client.js';
import bundleFake from '../fake-server/bundle-fake.js';

const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');

/**
 * A folder with a project of these files, and everything that lspan keeps beside it, until `remove`.
 * @param {Record<string, string>} files
 * @param {object} script of the fake server
 */
export async function makeHostProject(files, script = {}) {
  const removeFake = process.env.LSPAN_FAKE_SERVER ? () => {} : await bundleFake();
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-host-')));
  const own = (name) => {
    mkdirSync(path.join(folder, name));
    return path.join(folder, name);
  };
  const [root, temporary, state] = ['project', 'temporary', 'state'].map(own);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
  const scriptFile = path.join(folder, 'script.json');
  writeFileSync(scriptFile, JSON.stringify(script));
  const command = [process.execPath, process.env.LSPAN_FAKE_SERVER, scriptFile];
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: temporary, XDG_STATE_HOME: state };
  const config = { servers: [{ id: 'fake', command, extensions: ['txt'], ready: 'immediate' }] };
  return {
    root,
    temporary,
    state,
    env,
    bin,
    bootstrap: { workspaceRoot: root, config },
    start: (options = {}) =>
      startHostClient({ bin, cwd: folder, env, bootstrap: { workspaceRoot: root, config }, ...options }),
    remove() {
      rmSync(folder, { recursive: true, force: true });
      removeFake();
    },
  };
}
