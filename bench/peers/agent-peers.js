// The agents' own LSP tools: the real agents, with a mock model that calls those tools. Both get the language server that
// the MCP servers get.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startMockModel } from '../../test/campaigns/clients/mock-models.js';
import { pinned } from '../../test/campaigns/pinned.js';
import { listedPlaces, typescriptServer } from './mcp-peers.js';

const platform = `${process.platform}-${process.arch}`;
const [program, ...programArgs] = typescriptServer.command;

/** How each is given a language server, and how its tools are called. */
export const agentPeers = [
  {
    name: 'Claude Code',
    version: '2.1.325',
    async start({ env, model }) {
      const claude = await pinned('@anthropic-ai/claude-code', this.version);
      const plugin = path.join(env.HOME, 'plugin');
      const typescript = {
        ...{ command: program, args: programArgs, extensionToLanguage: { '.ts': 'typescript' } },
        initializationOptions: typescriptServer.initializationOptions,
      };
      write(path.join(plugin, '.claude-plugin/plugin.json'), {
        ...{ name: 'typescript', version: '1.0.0', description: 'TypeScript' },
        lspServers: { typescript },
      });
      const tools = ['LSP', 'Bash', 'Read', 'Edit'];
      return {
        command: [
          `${claude}-${platform}/claude`,
          '-p',
          'Go.',
          '--plugin-dir',
          plugin,
          '--allowedTools',
          ...tools,
        ],
        env: {
          ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'none', ENABLE_LSP_TOOL: '1' },
          ...{ ENABLE_TOOL_SEARCH: 'false', DISABLE_AUTOUPDATER: '1' },
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
      };
    },
    references: (step) => ({ tool: 'LSP', args: lspCall(step) }),
    read: (step) => ({ tool: 'Read', args: { file_path: path.join(step.folder, step.file) } }),
    edit: ({ folder, file, from, to }) => ({
      tool: 'Edit',
      args: { file_path: path.join(folder, file), old_string: from, new_string: to },
    }),
    shell: ({ command }) => ({ tool: 'Bash', args: { command, description: 'Edit a file' } }),
    placesIn: (text, folder) => [...listedPlaces(text, folder), ...placesByFile(text)].sort(),
  },
  {
    name: 'opencode',
    version: '1.18.18',
    async start({ env, model }) {
      const opencode = await pinned('opencode-ai', this.version);
      const options = { baseURL: `${model}/v1`, apiKey: 'none' };
      const { initializationOptions: initialization } = typescriptServer;
      write(path.join(env.HOME, '.config/opencode/opencode.json'), {
        ...{ autoupdate: false, model: 'mock/mock', small_model: 'mock/mock' },
        provider: { mock: { npm: '@ai-sdk/openai-compatible', options, models: { mock: {} } } },
        lsp: { typescript: { command: typescriptServer.command, extensions: ['.ts'], initialization } },
      });
      return {
        command: [path.join(opencode, `../opencode-${platform}/bin/opencode`), 'run', 'Go.'],
        env: { OPENCODE_EXPERIMENTAL_LSP_TOOL: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
      };
    },
    references: (step) => ({ tool: 'lsp', args: lspCall(step) }),
    read: (step) => ({ tool: 'read', args: { filePath: path.join(step.folder, step.file) } }),
    edit: ({ folder, file, from, to }) => ({
      tool: 'edit',
      args: { filePath: path.join(folder, file), oldString: from, newString: to },
    }),
    shell: ({ command }) => ({ tool: 'bash', args: { command, description: 'Edit a file' } }),
    placesIn: urisWithRanges,
  },
].map((peer) => ({ ...peer, converse: (place, steps) => converse(peer, place, steps) }));

function lspCall({ folder, file, line, character }) {
  return { operation: 'findReferences', filePath: path.join(folder, file), line, character };
}

/** Takes the steps in order: what is asked is called by the model, what is done happens before its next call. */
async function converse(peer, { folder, env }, steps) {
  const times = [];
  const doing = [];
  let pid;
  const asks = [];
  let acts = [];
  for (const step of [...steps, { last: true }]) {
    if (step.act) acts.push(step.act);
    else {
      asks.push({ ...(step.last ? {} : peer[step.ask]({ ...step, folder })), before: before(acts) });
      acts = [];
    }
  }
  const model = await startMockModel(...asks);
  const { command, env: own } = await peer.start({ env, model: model.url });
  const options = { cwd: folder, env: { ...env, ...own }, stdio: 'ignore' };
  const child = spawn(command[0], command.slice(1), options);
  pid = child.pid;
  await once(child, 'exit');
  // The agent may have been ended by what is done.
  await Promise.all(doing);
  await model.close();
  const shown = model.heard.shown.slice(1 - asks.length);
  return shown.map((text, index) => ({
    ...{ text: JSON.parse(text), time: times[index + 1]?.begun - times[index]?.ended },
    ...{ places: peer.placesIn(asText(JSON.parse(text)), folder), isError: false },
    request: model.heard.requests.at(-1),
  }));

  /** The agent may send several requests for one turn; what happens before it happens once. */
  function before(list) {
    let done;
    return () => {
      if (done === undefined) {
        done = act(list);
        doing.push(done);
      }
      return done;
    };
  }
  async function act(list) {
    const begun = performance.now();
    for (const one of list) await one(pid);
    times.push({ begun, ended: performance.now() });
  }
}

function asText(content) {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** Places under a line with the name of their file and a colon. */
function placesByFile(text) {
  const places = [];
  let file = '';
  for (const line of text.split('\n')) {
    file = /^(\S+\.ts):$/.exec(line)?.[1] ?? file;
    const found = /^ {2}Line (\d+):\d+/.exec(line);
    if (found) places.push(`${file}:${found[1]}`);
  }
  return [...new Set(places)];
}

/** Places as the protocol of language servers has them, from 0. */
function urisWithRanges(text, folder) {
  const found = [...text.matchAll(/"uri": "file:\/\/([^"]+)",\s+"range": \{\s+"start": \{\s+"line": (\d+)/g)];
  return [
    ...new Set(found.map(([, file, line]) => `${path.relative(folder, file)}:${Number(line) + 1}`)),
  ].sort();
}

function write(file, value) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
