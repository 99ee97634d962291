// The agents that are run as they are, with a mock model behind them, and what each needs to find lspan: over HTTP by
// `url` and `token`, or over stdio by `stdio`, a program with its arguments and variables.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinned, run } from '../pinned.js';

const prompt = 'Where is addPrices defined?';
const platform = `${process.platform}-${process.arch}`;

/** Each has a home of its own; `list` says whether it is connected, `ask` lets it call a tool, `shows` what of a result. */
export const agents = [
  {
    name: '@anthropic-ai/claude-code',
    version: '2.1.325',
    shows: 'structured',
    connected: /lspan: .* - ✔ Connected/,
    async prepare({ url, token, stdio, model, home }) {
      const claude = await packed('@anthropic-ai/claude-code', this.version, `-${platform}/claude`);
      const headers = { Authorization: `Bearer ${token}` };
      const { program, args, env } = stdio ?? {};
      const lspan = stdio ? { command: program, args, env } : { type: 'http', url, headers };
      write(home, 'mcp.json', { mcpServers: { lspan } });
      const config = ['--mcp-config', path.join(home, 'mcp.json'), '--strict-mcp-config'];
      const header = ['--header', `Authorization: Bearer ${token}`];
      return {
        env: {
          ANTHROPIC_BASE_URL: model,
          ANTHROPIC_API_KEY: 'none',
          ENABLE_TOOL_SEARCH: 'false',
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
        list: stdio
          ? []
          : [
              [claude, 'mcp', 'add', '--scope', 'user', '--transport', 'http', 'lspan', url, ...header],
              [claude, 'mcp', 'list'],
            ],
        ask: [claude, '-p', prompt, ...config, '--allowedTools', 'mcp__lspan'],
      };
    },
  },
  {
    name: '@openai/codex',
    version: '0.166.0',
    shows: 'structured',
    connected: /lspan +http.*enabled +Bearer token/,
    async prepare({ url, token, stdio, model, home }) {
      const codex = [process.execPath, path.join(await pinned(this.name, this.version), 'bin/codex.js')];
      const config = `model = "mock"
model_provider = "mock"
approval_policy = "never"
[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
[mcp_servers.lspan]
${stdio ? codexProgram(stdio) : `url = "${url}"\nbearer_token_env_var = "LSPAN_TOKEN"`}
default_tools_approval_mode = "approve"
`;
      write(home, '.codex/config.toml', config);
      return {
        env: { LSPAN_TOKEN: token ?? '' },
        list: stdio ? [] : [[...codex, 'mcp', 'list']],
        ask: [...codex, 'exec', '--skip-git-repo-check', prompt],
      };
    },
  },
  {
    name: '@google/gemini-cli',
    version: '0.61.0',
    shows: 'text',
    connected: /lspan: .* \(http\) - Connected/,
    async prepare({ url, token, stdio, model, home }) {
      const gemini = [process.execPath, path.join(await pinned(this.name, this.version), 'bundle/gemini.js')];
      const headers = { Authorization: 'Bearer $LSPAN_TOKEN' };
      write(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
        mcpServers: {
          lspan: stdio
            ? { command: stdio.program, args: stdio.args, env: stdio.env, trust: true }
            : { httpUrl: url, headers, trust: true },
        },
      });
      return {
        env: { LSPAN_TOKEN: token ?? '', GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model },
        list: stdio ? [] : [[...gemini, 'mcp', 'list']],
        ask: [...gemini, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
      };
    },
  },
  {
    name: 'opencode-ai',
    version: '1.18.18',
    shows: 'text',
    connected: /lspan .*connected/,
    async prepare({ url, token, stdio, model, home }) {
      const opencode = await packed('opencode-ai', this.version, `/../opencode-${platform}/bin/opencode`);
      const headers = { Authorization: 'Bearer {env:LSPAN_TOKEN}' };
      const mock = { baseURL: `${model}/v1`, apiKey: 'none' };
      write(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        model: 'mock/mock',
        small_model: 'mock/mock',
        provider: { mock: { npm: '@ai-sdk/openai-compatible', options: mock, models: { mock: {} } } },
        mcp: {
          lspan: stdio
            ? { type: 'local', command: [stdio.program, ...stdio.args], environment: stdio.env }
            : { type: 'remote', url, oauth: false, headers },
        },
      });
      return {
        env: { LSPAN_TOKEN: token ?? '', OPENCODE_DISABLE_MODELS_FETCH: '1' },
        list: stdio ? [] : [[opencode, 'mcp', 'list']],
        ask: [opencode, 'run', prompt],
      };
    },
  },
];

/** Lets an agent say whether it is connected, and then call the tool that the mock model asks for. */
export async function runAgent(agent, { model, env, cwd, ...place }) {
  const { list, ask, env: own } = await agent.prepare({ ...place, model: model.url });
  const options = { env: { ...env, ...own }, cwd, timeout: 180_000 };
  let told = '';
  for (const [program, ...args] of list) {
    const listed = await run(program, args, options);
    told = `${listed.printed}${listed.told}`;
  }
  const [program, ...args] = ask;
  const { printed } = await run(program, args, options);
  const connected = list.length === 0 || agent.connected.test(plain(told));
  return { connected, printed: plain(printed), ...model.heard };
}

function codexProgram({ program, args, env }) {
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return `command = ${JSON.stringify(program)}\nargs = ${JSON.stringify(args)}\nenv = { ${variables.join(', ')} }`;
}

/** The program inside of the package for this machine, which comes with the one that is asked for. */
async function packed(name, version, rest) {
  return path.normalize(`${await pinned(name, version)}${rest}`);
}

function write(home, name, content) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}

/** Without the colours. */
function plain(text) {
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}
