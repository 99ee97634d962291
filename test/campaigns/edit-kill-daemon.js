// DMN-03: edits through the daemon, which is killed at each of their steps in turn, and at steps of the recovery.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { startDaemon, stopDaemon } from '../../bench/daemon-life.js';
import { bin, chance as chanceOf, connectClient, makeFolder, ownHome, Tally, writeFiles } from './lspan.js';

const killAt = path.resolve(import.meta.dirname, '../frontends/daemon/kill-at.cjs');
/** The steps of a recovery among which one is chosen. */
const recovery = 40;

const before = {
  'a.txt': 'one\n',
  'b.txt': 'two\n',
  'gone.txt': 'bye\n',
  'old.txt': 'name\n',
  'folder/x.txt': 'x\n',
  'folder/deep/y.txt': 'y\n',
  'tree/leaf.txt': 'leaf\n',
  'tree/branch/twig.txt': 'twig\n',
};
const after = {
  'a.txt': 'ONE\n',
  'b.txt': 'TWO\n',
  'made/here/new.txt': 'new\n',
  'moved.txt': 'name\n',
  'elsewhere/x.txt': 'x\n',
  'elsewhere/deep/y.txt': 'Y\n',
};

/** What a client is told, and what the files are then. */
const states = { undefined: 'after', already_applied: 'after', server_crashed: 'before' };

/** Plays rounds, and returns the exit code: 0 if every edit was made or not made, as the client was told. */
export async function killDaemons({ rounds, seed }) {
  console.log(`seed ${seed}, ${rounds} rounds`);
  const play = new EditKill(chanceOf(seed));
  const begun = performance.now();
  for (let round = 1; round <= rounds; round += 1) await play.round(round);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  console.log(`${play.tally}; ${play.steps} steps of an edit; ${play.faults} faults, ${seconds} s`);
  return play.faults === 0 ? 0 : 1;
}

class EditKill {
  tally = new Tally('edits');
  faults = 0;
  steps = 0;
  #chance;
  #at = 0;

  constructor(chance) {
    this.#chance = chance;
  }

  /** Every other client is killed with its daemon: then the next daemon is too, while it recovers. */
  async round(round) {
    this.#at += 1;
    const folder = makeFolder();
    const { env } = ownHome(folder.own);
    writeFiles(folder.project, before);
    const withClient = this.#chance.below(2) === 1;
    const told = await this.#edit(folder, env, withClient);
    if (withClient && told === 'gone') await this.#recover(folder, env);
    const now = snapshot(folder.project);
    const [old, fresh] = [before, after].map((files) => JSON.stringify(Object.entries(files).sort()));
    const state = now === old ? 'before' : now === fresh ? 'after' : 'mixed';
    const isRight = state !== 'mixed' && (told === 'gone' || states[told] === state);
    const title = told === 'gone' ? 'its client was killed too' : `told ${told ?? 'done'}`;
    this.tally.count(`${title}, files as ${state}`);
    if (!isRight) this.#complain(`round ${round}, step ${this.#at}: ${title}, files as ${state}: ${now}`);
    const left = await stopDaemon({ bin, env });
    if (left.length > 0) this.#complain(`round ${round}: ${left.join(', ')} left`);
    folder.remove();
    // Nobody was killed: the edit has fewer steps.
    if (told === undefined) {
      this.steps = this.#at - 1;
      this.#at = 0;
    }
  }

  /** Returns the code of the error that the client was told, or that it has gone. */
  async #edit({ project, own }, env, withClient) {
    const pidFile = path.join(own, 'client');
    await startKilled({ project, env, at: this.#at, TEST_KILL_FIRST: pidFile });
    const client = await connectClient({ project, env, flags: ['--daemon'] });
    if (withClient) writeFileSync(pidFile, String(client.pid));
    const input = { edit: everyChange(project), dry_run: false, check: false };
    const { error } = await client.outcome('apply_workspace_edit', input).catch(() => ({ error: 'gone' }));
    if (error !== 'gone') await client.stop();
    return error;
  }

  /** The first call ends what was begun; the daemon that it finds may be killed meanwhile. */
  async #recover({ project }, env) {
    const at = 1 + this.#chance.below(recovery);
    const daemon = await startKilled({ project, env, at });
    const client = await connectClient({ project, env, flags: ['--daemon'] });
    const { error, message } = await client.outcome('get_server_status', {});
    if (error) this.#complain(`recovery, step ${at}: ${error}: ${message}`);
    await client.stop();
    this.tally.count(daemon.signalCode === null ? 'recoveries' : 'recoveries that were killed too');
  }

  #complain(what) {
    this.faults += 1;
    console.log(`FAULT ${what}`);
  }
}

/** Starts a daemon that is killed at a step; the client whose process a file names goes first. */
function startKilled({ project, env, at, ...more }) {
  const killed = { ...env, ...more, TEST_ROOT: project, TEST_KILL_AT: String(at), TEST_EVERY_STEP: '1' };
  return startDaemon({ bin, env: killed }, ['--require', killAt]);
}

/** Edits, a file in new folders, a removed file and folder, a renamed file, and a folder that moves with an edited file. */
function everyChange(project) {
  const uri = (file) => pathToFileURL(path.join(project, file)).href;
  const write = (file, newText) => {
    const range = { start: { line: 0, character: 0 }, end: { line: before[file] ? 1 : 0, character: 0 } };
    return { textDocument: { uri: uri(file), version: null }, edits: [{ range, newText }] };
  };
  const move = (from, to) => ({ kind: 'rename', oldUri: uri(from), newUri: uri(to) });
  const remove = (file) => ({ kind: 'delete', uri: uri(file), options: { recursive: true } });
  return {
    documentChanges: [
      write('a.txt', after['a.txt']),
      write('b.txt', after['b.txt']),
      { kind: 'create', uri: uri('made/here/new.txt') },
      write('made/here/new.txt', after['made/here/new.txt']),
      remove('gone.txt'),
      move('old.txt', 'moved.txt'),
      write('folder/deep/y.txt', after['elsewhere/deep/y.txt']),
      move('folder', 'elsewhere'),
      remove('tree'),
    ],
  };
}

/** Everything in a folder, by its path; folders without files are told too. */
function snapshot(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = entries.flatMap((entry) => {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, place);
    if (entry.isDirectory()) return readdirSync(place).length === 0 ? [[name, 'empty folder']] : [];
    return [[name, readFileSync(place, 'utf8')]];
  });
  return JSON.stringify(found.sort());
}
