// Opens and closes bridges in one process, and tells after each what the process holds: `node --expose-gc cycles.mjs
// CYCLES EVERY FOLDER FAKE`. Every so many cycles something else than a plain call happens; with 1, everything in turn.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LspBackend } from '../../src/backends/lsp/lsp-backend.ts';
import { ServerProcess } from '../../src/backends/lsp/process/server-process.ts';
import { ServerSlot } from '../../src/backends/lsp/session/server-slot.ts';
import { Session } from '../../src/backends/lsp/session/session.ts';
import { Watchdog } from '../../src/platform/processes/watchdog.ts';
import { ContextsByCaller } from '../../src/tools/run/callers.ts';
import { FreshnessBarrier } from '../../src/workspace/freshness/freshness.ts';
import { type Act, acts, type Stage } from './acts.ts';
import { Stocktaking } from './inventory.ts';

const [, , cycles = '10', every = '10', folder = '', fake = ''] = process.argv;
const place = (name: string) => {
  const made = path.join(realpathSync(folder), name);
  mkdirSync(made, { recursive: true });
  return made;
};
const script = (name: string, rules: readonly unknown[]): Stage['server'] => {
  const file = path.join(place('scripts'), name);
  writeFileSync(file, JSON.stringify({ rules }));
  return [process.execPath, fake, file];
};
const project = (name: string) => {
  const made = place(name);
  writeFileSync(path.join(made, 'a.txt'), 'function alpha\nalpha beta\n');
  writeFileSync(path.join(made, 'b.txt'), 'alpha is used\nfunction beta\n');
  return made;
};
const temporary = place('temporary');
process.env.TMPDIR = temporary;
const stage: Stage = {
  projects: [project('one'), project('other')],
  server: script('decent.json', []),
  silent: script('silent.json', [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }]),
  environment: {
    ...process.env,
    XDG_STATE_HOME: place('state'),
    XDG_CONFIG_HOME: place('config'),
    XDG_CACHE_HOME: place('cache'),
  },
  signal: new AbortController().signal,
  note: (held) => stocktaking.note(held),
};
const classes = {
  LspBackend,
  ServerProcess,
  ServerSlot,
  Session,
  Watchdog,
  ContextsByCaller,
  FreshnessBarrier,
};
const collect = globalThis.gc ?? (() => {});
const stocktaking = new Stocktaking({ collect, folders: [temporary], signal: stage.signal, classes });

const named = Object.entries(acts);
const [plain] = named;
const tell = (act: string, inventory: object) => {
  const { heapUsed, rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ act, heapUsed, rss, inventory })}\n`);
};
const play = async ([name, act]: readonly [string, Act]) => {
  await act(stage);
  tell(name, await stocktaking.take());
};
/** To count objects takes a second each. */
const deeply = Number(cycles) >= 100;
// Before anything is compared, code is compiled, Node opens what it keeps for good, such as the kernel's queue of
// changes and its own streams, and what is made when it is first needed is there.
for (const one of deeply ? named : named.slice(0, 1)) await play(one);
tell('begun', await stocktaking.take({ deeply }));
for (let cycle = 1; cycle <= Number(cycles); cycle += 1) {
  const turn = cycle / Number(every);
  const one = Number.isInteger(turn) ? named[turn % named.length] : plain;
  if (one) await play(one);
}
tell('ended', await stocktaking.take({ deeply }));
