// A program around lspan: RPC for itself, MCP for its agent, one lspan behind both. Nothing is written to the disk.
//   node host.mjs <workspace> <file>
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { formatDiagnostics } from 'lspan';
import { frames, lines, openChannel } from './channel.mjs';

const [workspace, file, ...more] = process.argv.slice(2);
if (file === undefined || more.length > 0) {
  console.error('Usage: node host.mjs <workspace> <file>');
  process.exit(2);
}

const lspan = startLspan(workspace);
try {
  await Promise.race([work(), lspan.failed]);
} catch (error) {
  console.error(`host: ${error.message}`);
  // What lspan says to do about it.
  if (error.data?.next_step) console.error(`Next: ${error.data.next_step}`);
  process.exitCode = 1;
} finally {
  await lspan.stop();
}

async function work() {
  const { rpc, mcp } = lspan;
  rpc.on('lsp/diagnosticsChanged', ({ files }) => {
    console.error(`(the problems of ${files?.join(', ') ?? 'any file'} may have changed)`);
  });
  const { version, workspaceRoots } = await lspan.ready;
  console.log(`lspan ${version} serves ${workspaceRoots.join(', ')}`);

  // 1. The problems of a text that is nowhere but here. The file on the disk and its problems stay as they are.
  const saved = await readFile(path.resolve(workspace, file), 'utf8');
  const unsaved = `${saved}\nexport const unsaved: number = 'text';\n`;
  print('Problems of the saved text', await rpc.request('lsp/checkFile', { filePath: file }));
  print('Problems of an unsaved text', await rpc.request('lsp/checkFile', { filePath: file, text: unsaved }));

  // 2. From now on lspan takes the unsaved text for that of the file, also when the agent asks. As a request, so that
  //    there is an answer to wait for: the two channels are two pipes, and neither knows the order of the other.
  await rpc.request('lsp/didChange', { filePath: file, text: unsaved });

  // 3. What an agent does over MCP.
  const { serverInfo } = await mcp.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'example-host', version: '1.0.0' },
  });
  mcp.notify('notifications/initialized');
  const { tools } = await mcp.request('tools/list', {});
  console.log(`\n${serverInfo.name} offers ${tools.map(({ name }) => name).join(', ')}`);
  console.log(`\nlsp_document_symbols ${file}`);
  console.log(await callTool(mcp, 'lsp_document_symbols', { file }));

  // 4. An edit of the agent, and what it is told.
  console.log(`\n${await edit(file, unsaved.replace("'text'", 'missing'))}`);

  // 5. Every other tool is there too, by the names of `lspan mcp`.
  const uses = await rpc.request('lsp/call', {
    tool: 'find_references',
    arguments: { symbol_name: 'unsaved' },
  });
  console.log(`\nfind_references unsaved\n${uses.text}`);
  const servers = await rpc.request('lsp/status');
  const running = servers.filter(({ state }) => state === 'ok').map(({ serverId }) => serverId);
  console.log(`\nRunning: ${running.join(', ')}`);
}

/** What a host's edit tool does after the edit: it says that it is done, and appends the problems that are there now. */
async function edit(filePath, text) {
  await lspan.rpc.request('lsp/didChange', { filePath, text });
  const checked = await lspan.rpc.request('lsp/checkFile', { filePath, doubts: true });
  const doubts = checked.doubts.map(({ detail }) => detail);
  return formatDiagnostics(filePath, { [filePath]: checked.diagnostics }, { doubts });
}

async function callTool(mcp, name, args) {
  const { content, isError } = await mcp.request('tools/call', { name, arguments: args });
  const text = content.map((part) => part.text).join('\n');
  if (isError) throw new Error(text);
  return text;
}

/** Starts `lspan host`: RPC on stdin and stdout, its log on stderr, MCP on descriptors 3 (to lspan) and 4 (from it). */
function startLspan(folder) {
  const manifest = createRequire(import.meta.url).resolve('lspan/package.json');
  const bin = path.join(path.dirname(manifest), 'dist/bin.js');
  const child = spawn(process.execPath, [bin, 'host', '--workspace', path.resolve(folder)], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  const rpc = openChannel(child.stdout, child.stdin, frames);
  const mcp = openChannel(child.stdio[4], child.stdio[3], lines);
  const ready = new Promise((resolve) => rpc.on('lsp/ready', resolve));
  // Where it cannot start, it has said why on stderr.
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`lspan ended by ${signal ?? `exit code ${code}`}.`);
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    await rpc.request('lsp/shutdown').catch(() => child.kill());
    await closed;
    console.log(`\nlspan has ended with exit code ${child.exitCode}`);
  };
  return { rpc, mcp, ready, failed, stop };
}

function print(title, diagnostics) {
  console.log(`\n${title}: ${diagnostics.length}`);
  for (const { severity, line, column, message } of diagnostics)
    console.log(`  ${file}:${line}:${column} ${severity}: ${message}`);
}
