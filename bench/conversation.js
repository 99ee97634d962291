// What lspan says to a language server, so that the raw client can say the same.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { startMcpClient } from './mcp-client.js';
import { startRawClient } from './raw-client.js';
import { bin, env, serverCommands, workFolder } from './work.js';

/** Starts lspan on a project. */
export async function startLspan({ folder }, args = []) {
  const client = startMcpClient({ bin, args: ['mcp', '--workspace', folder, ...args], cwd: folder, env });
  await client.initialize();
  return client;
}

/** Asks lspan once for each probe with a trace, and gives what it told the server. */
export async function recordConversation(language, project) {
  const trace = path.join(workFolder, `${path.basename(project.folder)}.trace`);
  await rm(trace, { force: true });
  const lspan = await startLspan(project, ['--trace', trace]);
  for (const probe of project.probes) await lspan.call(probe.tool, probe.input ?? argumentsOf(probe));
  const { servers } = await lspan.call('get_server_status', {});
  const running = servers.find(({ state }) => state === 'ready');
  await lspan.stop();
  if (!serverCommands[language].includes(running.command))
    throw new Error(`lspan ran ${running.command}, which is not what the raw client runs.`);
  return readTrace(await readFile(trace, 'utf8'));
}

/** The messages to the server in a trace, and as one more the settings that it asked for. */
export function readTrace(text) {
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const messages = (from) => lines.flatMap(({ direction, message }) => (direction === from ? [message] : []));
  const sent = messages('to_server');
  const settings = {};
  for (const { id, method, params } of messages('from_server')) {
    if (method !== 'workspace/configuration') continue;
    const { result } = sent.find((answer) => answer.id === id && answer.method === undefined) ?? {};
    for (const [index, { section = '' }] of params.items.entries()) put(settings, section, result?.[index]);
  }
  return [{ settings }, ...sent];
}

/** Puts the settings of a section, such as `python.analysis`, to the others. */
function put(settings, section, value) {
  const names = section.split('.').filter(Boolean);
  let inner = settings;
  for (const name of names) inner = inner[name] ??= {};
  Object.assign(inner, value);
}

/** Starts the raw client and has it say what lspan said, up to the questions. */
export async function startRaw(language, project, conversation) {
  const notified = conversation.filter(({ method }) => told.has(method));
  const settings = settingsIn(conversation);
  const raw = startRawClient({ command: serverCommands[language], cwd: project.folder, env, settings });
  const { params } = conversation.find(({ method }) => method === 'initialize');
  await raw.request('initialize', { ...params, processId: process.pid });
  for (const { method, params } of notified) raw.notify(method, params);
  return raw;
}

const configured = 'workspace/didChangeConfiguration';
const told = new Set(['initialized', configured, 'textDocument/didOpen']);

/** The settings that a server was sent, and those that it asked for. */
export function settingsIn(conversation) {
  const { params } = conversation.find(({ method }) => method === configured) ?? {};
  return { ...conversation.find(({ settings }) => settings)?.settings, ...params?.settings };
}

/** A probe as lspan is asked. */
export function argumentsOf({ file, line, character }) {
  return { file_path: file, line: line + 1, character: character + 1 };
}

/** A probe as a server is asked; lspan always asks for the declaration too. */
export function paramsOf({ method, file, line, character }, folder) {
  const context = method === 'textDocument/references' ? { context: { includeDeclaration: true } } : {};
  return { textDocument: { uri: `file://${folder}/${file}` }, position: { line, character }, ...context };
}
