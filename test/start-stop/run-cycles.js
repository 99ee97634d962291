// Runs cycles of opening and closing bridges in a process of their own, which can free its memory and look at itself.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { bundleLibrary } from '../../scripts/bundle.js';

/**
 * Gives what the process held after each cycle.
 * @param {{ cycles: number, every: number, fake: string, onCycle?: (told: Told) => void }} options `fake`: the program of the fake server
 * @typedef {{ act: string, heapUsed: number, rss: number, inventory: Record<string, number> }} Told
 * @returns {Promise<Told[]>} those of the warm-up, `begun`, those of the cycles, `ended`
 */
export async function runCycles({ cycles, every, fake, onCycle = () => {} }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-cycles-'));
  await bundleLibrary([path.join(import.meta.dirname, 'cycles.ts')], folder);
  // Optimised code comes and goes as the engine pleases, and is no memory that anybody has kept.
  const engine = ['--expose-gc', '--no-opt', '--no-sparkplug', '--no-flush-bytecode'];
  const args = [...engine, path.join(folder, 'cycles.mjs'), String(cycles), String(every), folder, fake];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
  const told = [];
  for await (const line of readline.createInterface({ input: child.stdout })) {
    told.push(JSON.parse(line));
    onCycle(told.at(-1));
  }
  const [code, signal] = await exited;
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`The cycles ended with ${signal ?? code}.`);
  return told;
}

/**
 * How each count was after the warm-up, at the end, and in between.
 * @param {Told[]} told
 * @returns {{ name: string, first: number, last: number, least: number, most: number, isSteady: boolean, acts: string[] }[]}
 * `acts`: after which it was another
 */
export function judge(told) {
  const compared = told.slice(told.findIndex(({ act }) => act === 'begun'));
  const [begun] = compared;
  const names = new Set(compared.flatMap(({ inventory }) => Object.keys(inventory)));
  return [...names].map((name) => {
    // Objects are not counted after each cycle; what is not there of another kind is none.
    const counted = name.startsWith('object ')
      ? compared.filter(({ inventory }) => name in inventory)
      : compared;
    const values = counted.map(({ inventory }) => inventory[name] ?? 0);
    const first = begun.inventory[name] ?? 0;
    const acts = counted.filter(({ inventory }) => (inventory[name] ?? 0) !== first).map(({ act }) => act);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    // What was made in the warm-up may be freed later.
    const isSteady = name.startsWith('object ') ? most <= first : acts.length === 0;
    return {
      name,
      first,
      last: values.at(-1),
      least,
      most,
      isSteady,
      acts: [...new Set(acts)],
    };
  });
}
