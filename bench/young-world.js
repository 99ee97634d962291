// What the young bench starts: lspan with one server of its own, and a raw client that tells its server the same.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chance as chanceOf, others } from '../test/campaigns/lspan.js';
import { readTrace, settingsIn } from './conversation.js';
import { startMcpClient } from './mcp-client.js';
import { startRawClient } from './raw-client.js';
import { bin, env, serverCommands, workFolder } from './work.js';
import { sourcesIn } from './young-projects.js';

const languageIds = { ts: 'typescript', tsx: 'typescriptreact', py: 'python', c: 'c', h: 'c', cpp: 'cpp' };

/** A configuration of its own: only this server speaks for the files, and answers are kept unless it is told not to. */
export function makeWorld(server, language, project, { keeps = true } = {}) {
  const config = path.join(workFolder, `young-${server}-${keeps}`);
  mkdirSync(path.join(config, 'lspan'), { recursive: true });
  const disabled = others[server].map((id) => `"${id}"`).join(', ');
  const kept = keeps ? '' : '[limits]\nanswers_mb = 0\n';
  writeFileSync(path.join(config, 'lspan/config.toml'), `disabled_servers = [${disabled}]\n${kept}`);
  const own = { ...env, ...project.environment, XDG_CONFIG_HOME: config };
  return { server, language, folder: project.folder, env: own };
}

/** Starts lspan on the project. */
export async function startOwn({ folder, env }, args = []) {
  const client = startMcpClient({ bin, args: ['mcp', '--workspace', folder, ...args], cwd: folder, env });
  await client.initialize();
  return client;
}

/** What lspan says to the server when it starts it, so that the raw client can say the same. */
export async function record(world) {
  const trace = path.join(workFolder, `young-${process.hrtime.bigint()}.trace`);
  const [{ file }] = sourcesIn(world.folder, world.language);
  const lspan = await startOwn(world, ['--trace', trace]);
  // A server may need longer for its start than a call has time.
  while ((await lspan.outcome('get_document_symbols', { file_path: file })).error === 'timed_out');
  await lspan.stop();
  return sentIn(trace);
}

/** The messages to the server in a trace. */
export function sentIn(trace) {
  return existsSync(trace) ? readTrace(readFileSync(trace, 'utf8')) : [];
}

const commands = {
  'typescript-language-server': [
    process.execPath,
    path.resolve(import.meta.dirname, '../node_modules/typescript-language-server/lib/cli.mjs'),
    '--stdio',
  ],
};

/** A raw client that opens a file before it asks about it, as every client does. */
export async function startRaw({ server, language, folder, env }, conversation, texts) {
  const started = conversation.find(({ method }) => method === 'initialize');
  const configured = conversation.find(({ method }) => method === 'workspace/didChangeConfiguration');
  const command = commands[server] ?? serverCommands[language];
  const raw = startRawClient({ command, cwd: folder, env, settings: settingsIn(conversation) });
  const { capabilities } = await raw.request('initialize', { ...started.params, processId: process.pid });
  raw.notify('initialized', {});
  if (configured) raw.notify(configured.method, configured.params);
  const opened = new Set();
  const uriOf = (file) => pathToFileURL(path.join(folder, file)).href;
  const open = (file) => {
    if (opened.has(file)) return;
    opened.add(file);
    const languageId = languageIds[path.extname(file).slice(1)];
    raw.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(file), languageId, version: 1, text: texts.get(file) },
    });
  };
  const ask = (method, { file, line, character }) => {
    open(file);
    return raw.request(method, {
      textDocument: { uri: uriOf(file) },
      position: { line, character },
      ...(method === 'textDocument/references' && { context: { includeDeclaration: true } }),
      ...(method === 'textDocument/rename' && { newName: 'renamedByTheBench' }),
    });
  };
  return { ...raw, ask, open, uriOf, pulls: capabilities.diagnosticProvider !== undefined };
}

/** The symbols of the files whose name the server selects, each name once. */
export async function symbolsOf(world, conversation, texts) {
  const raw = await startRaw(world, conversation, texts);
  const found = new Map();
  for (const [file, text] of texts) {
    const lines = text.split('\n');
    const collect = (list, depth) => {
      for (const { name, selectionRange, children = [] } of list) {
        const { line, character } = selectionRange?.start ?? {};
        const stands = lines[line]?.slice(character, character + name.length) === name;
        if (stands && /^[A-Za-z_]\w{2,}$/.test(name) && !found.has(name))
          found.set(name, { name, file, line, character });
        if (depth < 1) collect(children, depth + 1);
      }
    };
    const outline = await raw
      .ask('textDocument/documentSymbol', { file, line: 0, character: 0 })
      .catch(() => []);
    collect(outline ?? [], 0);
  }
  await raw.stop();
  return [...found.values()];
}

/** As many symbols as are wanted, by chance. */
export function sampled(symbols, seed, count) {
  const chance = chanceOf(seed);
  const left = [...symbols];
  const chosen = [];
  while (chosen.length < count && left.length > 0) chosen.push(...left.splice(chance.below(left.length), 1));
  return chosen;
}
