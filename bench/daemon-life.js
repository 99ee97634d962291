// The daemon of one environment: what runs there, and its end.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, isRunning, readFact } from './process-facts.js';

/** Milliseconds that servers and the watchdog have after the daemon. */
const patience = 10_000;

/** What `lspan status` tells of the daemons of an environment. */
export function daemonStatus({ bin, env }) {
  const { stdout } = spawnSync(process.execPath, [bin, 'status', '--json'], { env, encoding: 'utf8' });
  return JSON.parse(stdout).daemons;
}

/** The process of the only daemon; it must have a workspace, or its clients work in their own processes. */
export function daemonPid(place) {
  return onlyServing(daemonStatus(place));
}

/** Like `daemonPid`, of a status that was read before. */
export function onlyServing(daemons) {
  const [only] = daemons;
  if (daemons.length === 1 && only.workspaces.length > 0) return only.pid;
  throw new Error(`Not one daemon that serves, but ${JSON.stringify(daemons)}`);
}

/** Starts a daemon with arguments of Node, which clients would not give it, and waits until it listens. */
export async function startDaemon({ bin, env }, nodeArgs) {
  const child = spawn(process.execPath, [...nodeArgs, bin, 'daemon'], {
    ...{ cwd: '/', env, detached: true },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = String((await once(child.stdout, 'data'))[0]).trim();
  if (line !== 'ready') throw new Error(`The daemon does not start: ${line}`);
  return child;
}

/** Ends the daemons of an environment by `lspan stop`, and returns the processes that are left when the time is over. */
export async function stopDaemon({ bin, env }, time = patience) {
  const before = daemonProcesses({ bin, env });
  spawnSync(process.execPath, [bin, 'stop'], { env });
  return stillThere(() => [...new Set([...before, ...namesakes(env)])], time);
}

/** Like `stopDaemon`, but what is left is an error. */
export async function endDaemon(place) {
  const left = await stopDaemon(place);
  if (left.length > 0) throw new Error(`The daemon has left processes behind: ${left.join(', ')}`);
}

/** The daemons, and after them everything that they have started. */
export function daemonProcesses(place) {
  const daemons = daemonStatus(place).map(({ pid }) => pid);
  return [...daemons, ...daemons.flatMap(descendantsOf)];
}

/** The processes of a list that run when the time is over. */
export async function stillThere(list, time) {
  const last = performance.now() + time;
  const there = () => list().filter(isRunning);
  while (there().length > 0 && performance.now() < last) await pause(20);
  return there();
}

/** The processes with the same state folder, whoever started them; one that has ended has no environment. */
function namesakes({ XDG_STATE_HOME: state }) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => readFact(`/proc/${name}/environ`).split('\0').includes(`XDG_STATE_HOME=${state}`))
    .map(Number);
}
