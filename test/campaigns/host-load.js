// Both channels of `lspan host` under load at once, with the same ids on both, cancellations, and texts that are held and
// given: each request is answered once, on its own channel, with the answer to its own question and of the right text.
//   node test/campaigns/host-load.js [requests on each channel, 2000 unless given] [seed]   (after `npm run build`)
import { makeHostProject } from './host-project.js';
import { chance } from './lspan.js';

const [, , given = '2000', seed = String(Date.now() % 1_000_000)] = process.argv;
const requests = Number(given);
const atOnce = 16;
const fileCount = 40;
console.log(`seed ${seed}`);
const { below, pick } = chance(Number(seed));

// Of three digits, so that no name is the beginning of another.
const indexes = Array.from({ length: fileCount }, (_, index) => 100 + index);
const files = Object.fromEntries([
  ...indexes.map((index) => [`f${index}.txt`, `function name${index}\nname${index} ERROR_${index}\n`]),
  ...indexes.map((index) => [`h${index}.txt`, `function held${index}_v0\nERROR_v0\n`]),
]);
const project = await makeHostProject(files);
const host = project.start();
await host.ready();
await host.initialize();
host.exited.then(({ code }) => {
  if (code !== 0) console.log(`lspan ended with ${code}: ${host.said()}`);
});

const faults = [];
const counts = {};
const count = (what) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
const expect = (isRight, what, answer) => {
  if (!isRight) faults.push(`${what}: ${JSON.stringify(answer).slice(0, 600)}`);
};

/** What is asked over MCP about a file by its number, and what the answer must hold and nothing of any other file. */
const overMcp = [
  ['lsp_goto_definition', (index) => at(index, 2, 1), (index) => `f${index}.txt:1:10`],
  ['lsp_find_references', (index) => at(index, 1, 10), (index) => `f${index}.txt:2:1`],
  ['lsp_hover', (index) => at(index, 2, 1), (index) => `name${index}`],
  ['lsp_document_symbols', (index) => ({ file: `f${index}.txt` }), (index) => `name${index} [line 1]`],
  ['lsp_workspace_symbols', (index) => ({ query: `name${index}` }), (index) => `f${index}.txt:1`],
  ['lsp_diagnostics', () => ({}), () => '', 'all'],
];
const at = (index, line, character) => ({ file: `f${index}.txt`, line, character });
const position = (index, line, character) => ({ file_path: `f${index}.txt`, line, character });

const overRpc = [
  ['lsp/checkFile', (index) => ({ filePath: `f${index}.txt` }), (index) => `ERROR_${index}`],
  ['lsp/diagnostics', () => ({}), (index) => `ERROR_${index}`, 'all'],
  ['lsp/status', () => ({}), () => '"serverId":"fake"', 'all'],
  ...[
    ['find_definition', (index) => position(index, 2, 1), (index) => `f${index}.txt`],
    ['find_references', (index) => position(index, 1, 10), (index) => `f${index}.txt`],
    ['get_hover', (index) => position(index, 2, 1), (index) => `name${index}`],
    ['get_document_symbols', (index) => ({ file_path: `f${index}.txt` }), (index) => `name${index}`],
  ].map(([tool, input, holds]) => ['lsp/call', (index) => ({ tool, arguments: input(index) }), holds]),
];

/** Names of other files, or words of them, that an answer about one must not hold. */
const strangers = (text, index) =>
  [...text.matchAll(/\b(?:f|name|ERROR_)(\d+)\b/g)].some(([, other]) => Number(other) !== index);

/** How many texts each held file was given so far. */
const versions = Object.fromEntries(indexes.map((index) => [index, 0]));
let token = 0;

const acts = {
  async mcp(id) {
    const [name, input, holds, whole] = pick(overMcp);
    const index = pick(indexes);
    const asked = host.mcp.request('tools/call', { name, arguments: input(index) }, id);
    if (below(10) === 0) {
      host.mcp.notify('notifications/cancelled', { requestId: id });
      // It may have been answered before; else it never is.
      cancelled.push(id);
      asked.catch(() => {});
      return count('mcp, cancelled');
    }
    const answer = await asked;
    const { isError, content } = answer.result ?? {};
    const text = content?.[0]?.text ?? '';
    const isOwn = text.includes(holds(index)) && !strangers(text, index);
    expect(isError !== true && (whole === 'all' || isOwn), `${name} ${index}`, answer);
    count(`mcp ${name}`);
  },

  async rpc(id) {
    const [method, input, holds, whole] = pick(overRpc);
    const index = pick(indexes);
    const asked = host.rpc.request(method, input(index), id);
    if (below(10) === 0) {
      host.rpc.notify('$/cancelRequest', { id });
      const answer = await asked;
      if (answer.error) expect(answer.error.code === -32800, `cancelled ${method}`, answer);
      return count(`rpc, cancelled: ${answer.error ? 'in time' : 'too late'}`);
    }
    const answer = await asked;
    const text = JSON.stringify(answer.result ?? '');
    // What all files hold is said of those that servers were asked about so far.
    const isRight =
      whole === 'all' ? answer.result !== undefined : text.includes(holds(index)) && !strangers(text, index);
    expect(isRight, `${method} ${index}`, answer);
    count(`rpc ${method}`);
  },

  /** A text for one question only. */
  async givenText(id) {
    const index = pick(indexes);
    token += 1;
    const text = `function name${index}\nWARN_t${token}\n`;
    const answer = await host.rpc.request('lsp/checkFile', { filePath: `f${index}.txt`, text }, id);
    const told = answer.result?.map(({ code }) => code);
    expect(
      JSON.stringify(told) === JSON.stringify([`WARN_t${text.match(/t(\d+)/)[1]}`]),
      `given text ${index}`,
      answer,
    );
    count('rpc, given text');
  },

  /** A text for every message after it: on this channel at once, on the other when this was answered. */
  async heldText(id) {
    const index = pick(indexes);
    versions[index] += 1;
    const version = versions[index];
    const filePath = `h${index}.txt`;
    const changed = { filePath, text: `function held${index}_v${version}\nERROR_v${version}\n` };
    if (below(2) === 0) {
      host.rpc.notify('lsp/didChange', changed);
      const answer = await host.rpc.request('lsp/checkFile', { filePath }, id);
      expect(isSince(codesOf(answer.result), version, index), `held text ${version} of ${index}`, answer);
      return count('rpc, held text');
    }
    const answer = await host.rpc.request('lsp/didChange', changed, id);
    expect(answer.result === null, 'didChange', answer);
    const asking = { name: 'lsp_document_symbols', arguments: { file: filePath } };
    const read = await host.mcp.request('tools/call', asking, `held-${id}`);
    const told = read.result?.content?.[0]?.text ?? '';
    const codes = [...told.matchAll(/held(\d+)_v(\d+)/g)].map(([, other, one]) =>
      Number(other) === index ? `ERROR_v${one}` : 'another',
    );
    expect(isSince(codes, version, index), `held text ${version} of ${index} over MCP`, read);
    count('mcp, held text');
  },
};

const codesOf = (result) => result?.map(({ code }) => code) ?? [];

/** Whether one text alone is told of, which is the one that was current when it was asked about, or a later one. */
function isSince(codes, version, index) {
  const [only] = [...new Set(codes)].map((code) => Number(/^ERROR_v(\d+)$/.exec(code)?.[1]));
  return new Set(codes).size === 1 && only >= version && only <= versions[index];
}

const cancelled = [];
/** Both channels count alike, so that an answer on the wrong one would be taken for another's. */
async function work(kinds) {
  let next = 0;
  const worker = async () => {
    while (next < requests) {
      next += 1;
      await acts[pick(kinds)](next % 2 === 0 ? next : `id-${next}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const began = performance.now();
await Promise.all([work(['mcp']), work(['rpc', 'rpc', 'rpc', 'givenText', 'heldText'])]);
const seconds = (performance.now() - began) / 1000;
for (const id of cancelled) host.mcp.forget(id);
// An answer that came twice, or to nobody, would have come before this one.
const [last] = [await host.rpc.request('lsp/status'), await host.mcp.request('ping')];
expect(Array.isArray(last.result), 'the last request', last);
for (const [name, channel] of Object.entries({ rpc: host.rpc, mcp: host.mcp }))
  for (const stray of channel.strays) expect(false, `${name}: an answer to nothing`, stray);
const { code } = await host.stop();
expect(code === 0, 'the end', { code, said: host.said() });
project.remove();

console.table(counts);
console.log(`${2 * requests} requests in ${seconds.toFixed(1)} s, ${atOnce} at once on each channel`);
for (const fault of faults.slice(0, 20)) console.log(fault);
console.log(faults.length === 0 ? 'Each was answered once, and right.' : `${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
