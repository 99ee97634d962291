// What inspect_symbol costs, beside a raw client that sends the same requests at once on a server of its own.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { generateProject } from './project.js';
import { rowOf, takeTurns } from './turns.js';
import { workFolder } from './work.js';

/**
 * Measures the inspection of a function with few uses, of one with many, and of a class. Answers are not kept, so that
 * lspan too asks its server every time. It takes some thousand calls until the engine has compiled what an inspection
 * runs through, which the raw client has behind it after a few: they are made before any counts.
 */
export async function measureInspect(size, { rounds = 300, warmUp = 500 } = {}) {
  const project = await generateProject('typescript', size);
  const raw = await startRaw('typescript', project, await recordConversation('typescript', project));
  const config = path.join(workFolder, 'inspect.json');
  await writeFile(config, JSON.stringify({ limits: { answers_mb: 0 } }));
  const lspan = await startLspan(project, ['--config', config]);
  const [, few, many] = project.probes;
  const { file } = project;
  const name = `Store${names.exec(file)[1]}`;
  const text = project.files.get(file);
  const before = text.slice(0, text.indexOf(`class ${name}`) + 'class '.length).split('\n');
  const holder = { file, line: before.length - 1, character: before.at(-1).length };
  const targets = [
    { what: `a function with ${few.count} references`, probe: few, count: few.count },
    { what: `a function with ${many.count} references`, probe: many, count: many.count },
    { what: 'a class', probe: holder, implementations: true },
  ];
  const pairs = targets.map(({ what, probe, count, implementations = false }) => ({
    name: `inspect_symbol of ${what}`,
    count,
    target: { factor: 1.3, plus: 0 },
    sides: [
      { times: [], ask: () => inspectRaw(raw, probe, project.folder, implementations) },
      { times: [], ask: async () => seenIn(await lspan.call('inspect_symbol', argumentsOf(probe))) },
    ],
  }));
  await takeTurns(pairs, { rounds, warmUp, warmUpTime: 60_000 });
  await Promise.all([raw.stop(), lspan.stop()]);
  return pairs.map((pair) => rowOf(`${size} modules: ${pair.name}`, pair));
}

const names = /module-(\d+)\.ts$/;

/** The same requests at once; who calls can be asked only when it is known who is called. */
async function inspectRaw(raw, probe, folder, implementations) {
  const place = paramsOf({ ...probe, method: 'textDocument/references' }, folder);
  const { textDocument, position } = place;
  const at = { textDocument, position };
  const [references] = await Promise.all([
    raw.request('textDocument/references', place),
    raw.request('textDocument/definition', at),
    raw.request('textDocument/hover', at),
    // What implements a function nobody wants to know, and lspan does not ask for it.
    implementations ? raw.request('textDocument/implementation', at) : undefined,
    raw.request('textDocument/documentSymbol', { textDocument }),
    raw.request('textDocument/diagnostic', { textDocument }),
    callers(raw, at),
  ]);
  return references.length;
}

async function callers(raw, at) {
  const items = (await raw.request('textDocument/prepareCallHierarchy', at)) ?? [];
  return Promise.all(items.map((item) => raw.request('callHierarchy/incomingCalls', { item })));
}

function seenIn({ totals: { references = 0 }, complete }) {
  return complete === false ? 0 : references;
}
