// Writes plugins/: what each agent installs to use lspan, with its hooks after an edit. All of it comes from this file.
//   node scripts/plugins.js [--print]
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { version, description, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const name = 'lspan';

/** A client whose hooks call the tool of its own server; `--after-edit` takes what edits are compared with. */
const ownServer = { command: 'lspan', args: ['mcp', '--after-edit'] };
/** A client whose hooks run a command, which asks the daemon. */
const sharedServer = { command: 'lspan', args: ['mcp', '--daemon', '--after-edit'] };
const plainServer = { command: 'lspan', args: ['mcp'] };

const skills = {
  'rename-safely': {
    description: 'Rename a symbol or a file everywhere with lspan. Use it instead of search and replace.',
    text: `Call \`rename_symbol\` with the name, a file and the new name (\`rename_file\` for a file). It previews first: read
the doubts, then apply by \`plan_id\`. If it says that uses may be missing, look at those places before you apply.
\`undo_edit\` takes it back.`,
  },
  'check-your-edits': {
    description:
      'Find the errors that an edit caused, in all files, with lspan. Use it before you say that you are done.',
    text: `Call \`get_diagnostics\` without a path: it checks the changed files and those that depend on them first. If files
are left, the same call goes on. An answer without doubts is complete. Before you change a function that others use, call
\`find_references\` to see who does.`,
  },
};

const told = `For definitions, uses, types and problems of code, prefer the tools of lspan to text search: their answers are
exact and fresh. After an edit, lspan says by itself what the edit broke; \`get_diagnostics\` lists all problems.
`;

function callTool(server, input) {
  return { type: 'mcp_tool', server, tool: 'after_edit', ...(input && { input }) };
}

const claudeServer = `plugin:${name}:${name}`;
const claudeHooks = {
  hooks: {
    PostToolUse: [
      {
        matcher: 'Edit|Write|MultiEdit|NotebookEdit',
        hooks: [callTool(claudeServer, { file_path: '${tool_input.file_path}' })],
      },
      { matcher: 'Bash', hooks: [callTool(claudeServer, {})] },
    ],
  },
};
const codexHooks = { hooks: { PostToolUse: [{ matcher: '.*', hooks: [callTool(name, {})] }] } };
const geminiHook = { hooks: [{ type: 'command', name, command: 'lspan hook gemini-cli', timeout: 10_000 }] };
const geminiHooks = {
  hooks: {
    SessionStart: [geminiHook],
    AfterTool: [{ matcher: 'write_file|replace|run_shell_command', ...geminiHook }],
  },
};

const opencodePlugin = `// The plugin of lspan: adds what an edit broke to the result of the tool that made it.
import { spawn } from 'node:child_process';

const program = 'lspan';
const args = ['hook', 'opencode'];
const editing = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch', 'bash']);
// On Windows, only a shell finds a script such as npx.cmd.
const shell = process.platform === 'win32' && !program.endsWith('.exe');

export const Lspan = async ({ directory }) => {
  const tell = (event, session, given = {}) =>
    new Promise((resolve) => {
      const child = spawn(program, args, { cwd: directory, shell, stdio: ['pipe', 'pipe', 'ignore'] });
      let said = '';
      child.stdout.on('data', (data) => {
        said += data;
      });
      child.on('error', () => resolve(''));
      child.on('close', () => resolve(said.trim()));
      child.stdin.on('error', () => {});
      const hook = { session_id: session, cwd: directory, hook_event_name: event, tool_input: given };
      child.stdin.end(JSON.stringify(hook));
    });
  // The daemon begins to watch now; nobody waits for it.
  const begun = tell('SessionStart');
  return {
    'tool.execute.after': async ({ tool, args: input }, output) => {
      if (!editing.has(tool)) return;
      await begun;
      const said = await tell('PostToolUse', undefined, { file_path: input?.filePath });
      if (said !== '') output.output += \`\\n\\n\${said}\`;
    },
  };
};
`;

const manifest = { name, version, description, license };

/** Returns every file of plugins/, by path. */
function pluginFiles() {
  const files = new Map();
  const json = (file, value) => files.set(file, `${JSON.stringify(value, null, 2)}\n`);
  const addSkills = (folder) => {
    for (const [skill, { description: when, text }] of Object.entries(skills))
      files.set(
        `${folder}/skills/${skill}/SKILL.md`,
        `---\nname: ${skill}\ndescription: ${when}\n---\n\n${text}\n`,
      );
  };
  const owner = { name: 'The authors of lspan' };
  json('.claude-plugin/marketplace.json', {
    name,
    owner,
    description,
    plugins: [{ name, source: './claude-code', description }],
  });
  json('claude-code/.claude-plugin/plugin.json', manifest);
  json('claude-code/.mcp.json', { mcpServers: { [name]: ownServer } });
  json('claude-code/hooks/hooks.json', claudeHooks);
  addSkills('claude-code');
  json('.agents/plugins/marketplace.json', {
    name,
    plugins: [{ name, source: { source: 'local', path: './codex' } }],
  });
  json('codex/.codex-plugin/plugin.json', {
    ...manifest,
    mcpServers: './.mcp.json',
    hooks: './hooks/hooks.json',
  });
  json('codex/.mcp.json', { mcpServers: { [name]: ownServer } });
  json('codex/hooks/hooks.json', codexHooks);
  addSkills('codex');
  json('agent-plugin/plugin.json', manifest);
  json('agent-plugin/mcp.json', { mcpServers: { [name]: plainServer } });
  addSkills('agent-plugin');
  json('gemini/gemini-extension.json', {
    ...{ name, version, description, contextFileName: 'GEMINI.md' },
    mcpServers: { [name]: sharedServer },
  });
  json('gemini/hooks/hooks.json', geminiHooks);
  files.set('gemini/GEMINI.md', told);
  files.set('opencode/lspan.js', opencodePlugin);
  return files;
}

if (process.argv[2] === '--print') process.stdout.write(JSON.stringify([...pluginFiles()]));
else writeAll(path.join(root, 'plugins'));

function writeAll(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of pluginFiles()) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}
