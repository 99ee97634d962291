// What is spared: identical questions at once, and the same question again.
// Each with it and without it in turns, on bridges of their own in this process.
import path from 'node:path';
import { rolldown } from 'rolldown';
import { argumentsOf } from './conversation.js';
import { generateProject } from './project.js';
import { summary, timed } from './statistics.js';
import { env, serverCommands, workFolder } from './work.js';

const root = path.resolve(import.meta.dirname, '..');
const none = { share: false, answers: 0 };

/** Measures both. */
export async function measureFast({ rounds = 60, size = 50 } = {}) {
  const { openBridge, defaultConfig } = await bundleBridge();
  const open = async (project, { answers, ...cache }) =>
    openBridge({
      roots: [project.folder],
      surface: 'lspan',
      overrides: { cache, limits: { ...defaultConfig.limits, answers } },
      environment: env,
      log: () => {},
    });
  const rows = [];
  for (const language of ['typescript', 'python', 'cpp'].filter((one) => serverCommands[one])) {
    const project = await generateProject(language, size);
    rows.push(...(await measureShared(open, language, project, rounds)));
    rows.push(...(await measureAgain(open, language, project, rounds)));
  }
  return rows;
}

/** Eight who ask the same at once. */
async function measureShared(open, language, project, rounds) {
  const rows = [];
  for (const [name, tool, probe] of questionsOf(project)) {
    const ask = (bridge) =>
      Promise.all(Array.from({ length: 8 }, () => call(bridge, tool, argumentsOf(probe))));
    rows.push(
      await turns(
        `${language}: ${name}, 8 who ask the same at once`,
        project,
        open,
        { share: true },
        ask,
        rounds,
      ),
    );
  }
  return rows;
}

/** The same once more, nothing having changed. */
async function measureAgain(open, language, project, rounds) {
  const rows = [];
  for (const [name, tool, probe] of questionsOf(project)) {
    const ask = (bridge) => call(bridge, tool, argumentsOf(probe));
    rows.push(
      await turns(`${language}: ${name}, again`, project, open, { answers: 8 * 1024 ** 2 }, ask, rounds),
    );
  }
  return rows;
}

function questionsOf({ probes: [definition, , many] }) {
  return [
    ['hover', 'get_hover', definition],
    ['references, 100', 'find_references', many],
  ];
}

async function turns(what, project, open, options, ask, rounds) {
  const bridges = [await open(project, none), await open(project, { ...none, ...options })];
  const times = [[], []];
  for (let round = -5; round < rounds; round += 1)
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const { time } = await timed(() => ask(bridges[side]));
      if (round >= 0) times[side].push(time);
    }
  await Promise.all(bridges.map((bridge) => bridge.close({ hurried: true })));
  return rowOf(what, times);
}

async function call(bridge, tool, input) {
  const { isError, text } = await bridge.call(tool, input, { signal: new AbortController().signal });
  if (isError) throw new Error(`${tool}: ${text}`);
}

function rowOf(what, [without, withIt]) {
  process.stderr.write(
    `${what}: ${summary(without).median.toFixed(2)} → ${summary(withIt).median.toFixed(2)} ms\n`,
  );
  return {
    what,
    limitIs: 'without',
    limit: summary(without),
    lspan: summary(withIt),
    target: 'none',
    rounds: withIt.length,
  };
}

/** The composition root as it is in the sources, with what only a measurement sets. */
async function bundleBridge() {
  const entry = path.join(workFolder, 'fast-entry.ts');
  const file = path.join(workFolder, 'fast.mjs');
  const { writeFile } = await import('node:fs/promises');
  const lines = [
    `export { openBridge } from ${JSON.stringify(path.join(root, 'src/bridge.ts'))};`,
    `export { defaultConfig } from ${JSON.stringify(path.join(root, 'src/config/default-config.ts'))};`,
  ];
  await writeFile(entry, `${lines.join('\n')}\n`);
  const build = await rolldown({
    input: entry,
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
  });
  await build.write({ file, format: 'esm', codeSplitting: false });
  await build.close();
  return import(file);
}
