// What inspect_symbol costs, beside a raw client that sends the same requests at once on a server of its own.
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { generateProject } from './project.js';
import { rowOf, takeTurns } from './turns.js';

/** Measures the inspection of a function with a few uses, of one with many, and of a class by its name. */
export async function measureInspect(size, { rounds = 300, warmUp = 200 } = {}) {
  const project = await generateProject('typescript', size);
  const raw = await startRaw('typescript', project, await recordConversation('typescript', project));
  const lspan = await startLspan(project);
  const [, few, many] = project.probes;
  const target = { factor: 1.3, plus: 0 };
  const pairs = [few, many].map((probe) => ({
    name: `inspect_symbol of a function with ${probe.count} references`,
    count: probe.count,
    target,
    sides: [
      { times: [], ask: () => inspectRaw(raw, probe, project.folder) },
      { times: [], ask: async () => seenIn(await lspan.call('inspect_symbol', argumentsOf(probe))) },
    ],
  }));
  await takeTurns(pairs, { rounds, warmUp });
  await Promise.all([raw.stop(), lspan.stop()]);
  return pairs.map((pair) => rowOf(`${size} modules: ${pair.name}`, pair));
}

/** The same requests at once; who calls can be asked only when it is known who is called. */
async function inspectRaw(raw, probe, folder) {
  const place = paramsOf({ ...probe, method: 'textDocument/references' }, folder);
  const { textDocument, position } = place;
  const at = { textDocument, position };
  const [references] = await Promise.all([
    raw.request('textDocument/references', place),
    raw.request('textDocument/definition', at),
    raw.request('textDocument/hover', at),
    raw.request('textDocument/implementation', at),
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
