// A program that has lspan in it and looks whether that changed anything of the process: `node guest.js LIBRARY FOLDER FAKE`.
// Tells what is other than before, as JSON: after the import, and after a bridge was used and closed.
import { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';

const [, , library, folder, fake] = process.argv;
process.env.XDG_STATE_HOME = path.join(folder, 'state');
process.env.XDG_CONFIG_HOME = path.join(folder, 'config');
process.umask(0o027);
// The host's own wishes, of a package that lspan has a copy of.
z.config(z.locales.de());
z.globalRegistry.add(z.string(), { id: 'of-the-host' });
const written = [];
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (...all) => {
    if (!String(all[0]).startsWith('{"changed"')) written.push(String(all[0]));
    return write(...all);
  };
}
const writes = [process.stdout.write, process.stderr.write];

const first = stateOf();
const { createBridge } = await import(pathToFileURL(library).href);
const imported = differences(first, stateOf());
const root = path.join(folder, 'project');
mkdirSync(root);
writeFileSync(path.join(root, 'a.txt'), 'function alpha\nalpha ERROR_1\n');
const script = path.join(folder, 'script.json');
writeFileSync(script, '{}');
const servers = [{ id: 'fake', command: [process.execPath, fake, script], extensions: ['txt'] }];
const bridge = await createBridge({ workspace: root, config: { servers } });
const wrong = await bridge.call('find_definition', { file_path: 7 }).catch((error) => error.message);
const { text } = await bridge.call('find_references', { file_path: 'a.txt', line: 1, character: 10 });
await bridge.diagnostics('a.txt');
await bridge.call('rename_symbol', {
  file_path: 'a.txt',
  line: 1,
  character: 10,
  new_name: 'beta',
  dry_run: false,
});
await bridge.close();
const used = differences(first, stateOf());
process.stdout.write(`${JSON.stringify({ changed: { imported, used }, text, wrong, written })}\n`);

function stateOf() {
  const listeners = (emitter) =>
    Object.fromEntries(emitter.eventNames().map((name) => [String(name), emitter.listenerCount(name)]));
  return {
    globals: Reflect.ownKeys(globalThis).map(String).sort(),
    environment: { ...process.env },
    cwd: process.cwd(),
    umask: process.umask(),
    title: process.title,
    exitCode: String(process.exitCode),
    listeners: [process, process.stdout, process.stderr].map(listeners),
    writes: writes.map((write, index) => write === [process.stdout, process.stderr][index].write),
    warnings: process.noDeprecation,
    stackTraceLimit: Error.stackTraceLimit,
    prepareStackTrace: String(Error.prepareStackTrace),
    defaultMaxListeners: EventEmitter.defaultMaxListeners,
    prototypes: [Object, Array, Promise, Map, Set, String, Symbol, Error, Function].map((type) =>
      [...Reflect.ownKeys(type), ...Reflect.ownKeys(type.prototype)].map(String),
    ),
    zod: [z.string().safeParse(7).error.issues[0].message, [...z.globalRegistry._idmap.keys()]],
    // Streams of its own are closed in the turn after.
    active: process
      .getActiveResourcesInfo()
      .filter((kind) => kind !== 'CloseReq')
      .sort(),
  };
}

function differences(before, now) {
  return Object.keys(before)
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]))
    .map((key) => ({ key, before: before[key], now: now[key] }));
}
