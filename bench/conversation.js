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
  const lines = (await readFile(trace, 'utf8')).trim().split('\n');
  const sent = lines.map((line) => JSON.parse(line)).filter(({ direction }) => direction === 'to_server');
  return sent.map(({ message }) => message);
}

/** Starts the raw client and has it say what lspan said, up to the questions. */
export async function startRaw(language, project, conversation) {
  const notified = conversation.filter(({ method }) => told.has(method));
  const { settings } = notified.find(({ method }) => method === configured)?.params ?? {};
  const raw = startRawClient({ command: serverCommands[language], cwd: project.folder, env, settings });
  const { params } = conversation.find(({ method }) => method === 'initialize');
  await raw.request('initialize', { ...params, processId: process.pid });
  for (const { method, params } of notified) raw.notify(method, params);
  return raw;
}

const configured = 'workspace/didChangeConfiguration';
const told = new Set(['initialized', configured, 'textDocument/didOpen']);

/** A probe as lspan is asked. */
export function argumentsOf({ file, line, character }) {
  return { file_path: file, line: line + 1, character: character + 1 };
}

/** A probe as a server is asked; lspan always asks for the declaration too. */
export function paramsOf({ method, file, line, character }, folder) {
  const context = method === 'textDocument/references' ? { context: { includeDeclaration: true } } : {};
  return { textDocument: { uri: `file://${folder}/${file}` }, position: { line, character }, ...context };
}
