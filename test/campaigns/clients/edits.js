// How each agent edits, by its own tool and by its shell, and how lspan is given to it: by the plugin of the package, or by
// `lspan setup` alone. The model which is none asks for the edits.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinned, run } from '../pinned.js';

const plugins = path.resolve(import.meta.dirname, '../../../plugins');
const platform = `${process.platform}-${process.arch}`;
const prompt = 'Edit the file.';
const [good, bad] = ['amount: number', 'amount: string'];
const breaking = "sed -i 's/amount: number/amount: string/' src/price.ts";
/** A model looks before it edits. This one is so fast that lspan would not have read the files otherwise. */
const looks = { tool: 'exec_command', args: { cmd: 'cat src/price.ts' } };
const fine = 'export const extra: number = 1;\n';

/** `steps` are the calls of tools that break a type by the edit tool, by the shell, and that break nothing. */
export const editors = [
  {
    id: 'claude-code',
    name: '@anthropic-ai/claude-code',
    version: '2.1.325',
    steps: (project) => ({
      tool: [
        { tool: 'Read', args: { file_path: path.join(project, 'src/price.ts') } },
        {
          tool: 'Edit',
          args: { file_path: path.join(project, 'src/price.ts'), old_string: good, new_string: bad },
        },
      ],
      shell: [{ tool: 'Bash', args: { command: breaking } }],
      nothing: [{ tool: 'Write', args: { file_path: path.join(project, 'src/extra.ts'), content: fine } }],
    }),
    async prepare({ model, isPlugin }) {
      const claude = path.normalize(`${await pinned(this.name, this.version)}-${platform}/claude`);
      const tools = ['--allowedTools', 'Read', 'Edit', 'Write', 'Bash'];
      const plugin = path.join(plugins, 'claude-code');
      return {
        env: {
          ANTHROPIC_BASE_URL: model,
          ANTHROPIC_API_KEY: 'none',
          ENABLE_TOOL_SEARCH: 'false',
          DISABLE_AUTOUPDATER: '1',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        },
        check: isPlugin ? [[claude, 'plugin', 'validate', plugin]] : [],
        ask: [claude, '-p', prompt, ...(isPlugin ? ['--plugin-dir', plugin] : []), ...tools],
      };
    },
  },
  {
    id: 'codex',
    name: '@openai/codex',
    version: '0.166.0',
    steps: () => ({
      tool: [
        looks,
        {
          tool: 'apply_patch',
          args: {
            input: `*** Begin Patch\n*** Update File: src/price.ts\n@@\n-  readonly ${good};\n+  readonly ${bad};\n*** End Patch\n`,
          },
        },
      ],
      shell: [looks, { tool: 'exec_command', args: { cmd: breaking } }],
      nothing: [
        {
          tool: 'apply_patch',
          args: { input: `*** Begin Patch\n*** Add File: src/extra.ts\n+${fine}*** End Patch\n` },
        },
      ],
    }),
    async prepare({ model, home, project, isPlugin }) {
      const codex = [process.execPath, path.join(await pinned(this.name, this.version), 'bin/codex.js')];
      // Its own sandbox does not work with a home below /tmp. What the model asks for is above.
      write(
        home,
        '.codex/config.toml',
        `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "${model}/v1"
wire_api = "responses"
[projects.${JSON.stringify(project)}]
trust_level = "trusted"
`,
      );
      return {
        env: {},
        check: isPlugin
          ? [
              [...codex, 'plugin', 'marketplace', 'add', plugins],
              [...codex, 'plugin', 'add', 'lspan@lspan'],
            ]
          : [],
        // The user trusts the hooks once, in /hooks; here nobody can.
        ask: [...codex, 'exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', prompt],
      };
    },
  },
  {
    id: 'gemini-cli',
    name: '@google/gemini-cli',
    version: '0.61.0',
    steps: (project) => ({
      tool: [
        {
          tool: 'replace',
          args: {
            file_path: path.join(project, 'src/price.ts'),
            ...{ instruction: prompt, old_string: good, new_string: bad },
          },
        },
      ],
      shell: [{ tool: 'run_shell_command', args: { command: breaking } }],
      nothing: [
        { tool: 'write_file', args: { file_path: path.join(project, 'src/extra.ts'), content: fine } },
      ],
    }),
    async prepare({ model, home, isPlugin }) {
      const gemini = [process.execPath, path.join(await pinned(this.name, this.version), 'bundle/gemini.js')];
      write(home, '.gemini/settings.json', {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      });
      const extension = path.join(home, '.gemini/extensions/lspan');
      if (isPlugin) cpSync(path.join(plugins, 'gemini'), extension, { recursive: true });
      return {
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: model },
        check: isPlugin ? [[...gemini, 'extensions', 'validate', path.join(plugins, 'gemini')]] : [],
        ask: [...gemini, '-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
      };
    },
  },
  {
    id: 'opencode',
    name: 'opencode-ai',
    version: '1.18.18',
    steps: (project) => ({
      tool: [
        { tool: 'read', args: { filePath: path.join(project, 'src/price.ts') } },
        {
          tool: 'edit',
          args: { filePath: path.join(project, 'src/price.ts'), oldString: good, newString: bad },
        },
      ],
      shell: [{ tool: 'bash', args: { command: breaking, description: prompt } }],
      nothing: [{ tool: 'write', args: { filePath: path.join(project, 'src/extra.ts'), content: fine } }],
    }),
    async prepare({ model, home, isPlugin }) {
      const own = await pinned(this.name, this.version);
      const opencode = path.normalize(`${own}/../opencode-${platform}/bin/opencode`);
      write(home, '.config/opencode/opencode.json', {
        autoupdate: false,
        lsp: false,
        model: 'mock/mock',
        small_model: 'mock/mock',
        provider: {
          mock: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model}/v1`, apiKey: 'none' },
            models: { mock: { tool_call: true } },
          },
        },
      });
      const folder = path.join(home, '.config/opencode/plugin');
      if (isPlugin) cpSync(path.join(plugins, 'opencode'), folder, { recursive: true });
      return { env: { OPENCODE_DISABLE_MODELS_FETCH: '1' }, check: [], ask: [opencode, 'run', prompt] };
    },
  },
];

/** Lets an agent make the edits that the mock model asks for; gives what it showed the model afterwards. */
export async function runEditor(editor, { model, env, cwd, home, way }) {
  const isPlugin = way === 'plugin';
  const { check, ask, env: own } = await editor.prepare({ model: model.url, home, project: cwd, isPlugin });
  const options = { env: { ...env, ...own }, cwd, timeout: 180_000 };
  const scope = way.replace('setup-', '');
  const setup = ['lspan', 'setup', editor.id, '--hooks', '--scope', scope, '--yes'];
  for (const [program, ...args] of isPlugin ? check : [setup]) await run(program, args, options);
  const [program, ...args] = ask;
  const { printed } = await run(program, args, options);
  return { printed, ...model.heard };
}

function write(home, name, content) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
}
