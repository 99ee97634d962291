// The latency of questions once everything is loaded, beside a raw client on a server of its own.
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { residentMemory, tellsFacts } from './process-facts.js';
import { generateProject } from './project.js';
import { rowOf, takeTurns } from './turns.js';

const memoryTarget = 90;
const byPosition = { factor: 1.15, plus: 1 };
const byName = { factor: 1.3, plus: 1, raw: 'two raw' };

/**
 * Measures every question to a project, in turn with the raw client, and then the memory of lspan itself.
 * Before that, as many rounds as Node needs to have compiled most of what runs.
 */
export async function measureWarm(language, size, { rounds = 300, warmUp = 200 } = {}) {
  const project = await generateProject(language, size);
  const raw = await startRaw(language, project, await recordConversation(language, project));
  const lspan = await startLspan(project);
  const pairs = questions(project, raw).map(({ ask, tool, input, ...pair }) => ({
    ...pair,
    sides: [
      { times: [], ask },
      { times: [], ask: async () => seenIn(await lspan.call(tool, input)) },
    ],
  }));
  await takeTurns(pairs, { rounds, warmUp });
  const rows = pairs.map((pair) => rowOf(`${size} modules: ${pair.name}`, pair));
  if (tellsFacts) rows.push(memoryRow(size, residentMemory(lspan.pid)));
  await Promise.all([raw.stop(), lspan.stop()]);
  return rows;
}

/** Every tool's question, with what the raw client has to ask for the same. */
function questions(project, raw) {
  const { folder, file, probes, names } = project;
  const [, few, many] = probes;
  const document = { textDocument: { uri: `file://${folder}/${file}` } };
  const count = async (probe) => (await raw.request(probe.method, paramsOf(probe, folder))).length;
  const outline = async (of) =>
    (await raw.request('textDocument/documentSymbol', { textDocument: paramsOf(of, folder).textDocument }))
      .length;
  const search = async (query) => (await raw.request('workspace/symbol', { query })).length;
  const references = { tool: 'find_references', target: byName };
  return [
    ...probes.map((probe) => ({
      name: probe.name,
      count: probe.count,
      target: byPosition,
      tool: probe.tool,
      input: argumentsOf(probe),
      ask: () => count(probe),
    })),
    {
      ...references,
      name: 'references, few, by name in its file',
      count: few.count,
      input: { file_path: few.file, symbol_name: names.few },
      ask: async () => ((await outline(few)) > 0 ? count(few) : 0),
    },
    {
      ...references,
      name: 'references, 100, by name in the workspace',
      count: many.count,
      input: { symbol_name: names.many },
      ask: async () => ((await search(names.many)) > 0 ? count(many) : 0),
    },
    {
      name: 'hover',
      tool: 'get_hover',
      input: argumentsOf(few),
      ask: async () => ((await raw.request('textDocument/hover', paramsOf(few, folder))) ? 1 : 0),
    },
    {
      name: 'document symbols',
      tool: 'get_document_symbols',
      input: { file_path: file },
      ask: async () => (await raw.request('textDocument/documentSymbol', document)).length,
    },
    {
      name: 'workspace symbols',
      tool: 'search_workspace_symbols',
      input: { query: names.few },
      ask: () => search(names.few),
    },
  ];
}

/** How many things an answer holds; one that is not a list is one thing. */
function seenIn({ total = 1, complete }) {
  return complete === false ? 0 : total;
}

function memoryRow(size, bytes) {
  const megabytes = bytes / 1e6;
  return {
    what: `${size} modules: resident memory of lspan`,
    measured: `${megabytes.toFixed(0)} MB`,
    target: `≤ ${memoryTarget} MB`,
    pass: megabytes <= memoryTarget,
  };
}
