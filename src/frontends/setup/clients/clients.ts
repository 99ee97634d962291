import type { Client, EntryShape } from './client.ts';
import type { Place } from './place.ts';

const standard: EntryShape = { program: 'command' };
const oneList: EntryShape = {
  program: 'command',
  isOneList: true,
  own: { type: 'local' },
  initial: { enabled: true },
};
const codeFolder = 'Code/User/globalStorage';

/** The agents that `lspan setup` knows, one row each. */
export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    aliases: ['claude'],
    found: { programs: ['claude'], places: [claude('settings.json'), home('.claude.json'), home('.claude')] },
    user: [{ base: 'home', variable: 'CLAUDE_CONFIG_DIR', file: '.claude.json' }],
    project: ['.mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'shell',
    check: 'claude mcp list',
    notes: [
      'It asks before each tool until you allow it; lspan setup --allow-list claude-code prints the names.',
      "It asks once whether the servers of a project's .mcp.json may run.",
    ],
    rules: { user: claude('CLAUDE.md'), project: 'CLAUDE.md' },
    toolName: 'mcp__lspan__*',
  },
  {
    id: 'codex',
    title: 'Codex',
    found: { programs: ['codex'], places: [codex('')] },
    user: [codex('config.toml')],
    project: ['.codex/config.toml'],
    format: 'toml',
    key: 'mcp_servers',
    shape: standard,
    started: 'shell',
    check: 'codex mcp list',
    notes: [
      'codex exec refuses tools that can change files, previews included, unless the entry has default_tools_approval_mode = "approve".',
      'It reads the file of a project only if it trusts the project.',
    ],
    rules: { user: codex('AGENTS.md'), project: 'AGENTS.md' },
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    aliases: ['gemini'],
    found: { programs: ['gemini'], places: [gemini('settings.json')] },
    user: [gemini('settings.json')],
    project: ['.gemini/settings.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'shell',
    check: 'gemini mcp list',
    notes: [
      'It starts no servers in folders that it does not trust.',
      'With "trust": true in the entry, it does not ask before each tool.',
    ],
    rules: { user: gemini('GEMINI.md'), project: 'GEMINI.md' },
    toolName: 'mcp_lspan_*',
  },
  {
    id: 'opencode',
    title: 'opencode',
    found: { programs: ['opencode'], places: [opencode('')] },
    user: [opencode('opencode.json'), opencode('opencode.jsonc'), opencode('config.json')],
    project: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    format: 'json',
    key: 'mcp',
    innerKey: 'servers',
    shape: oneList,
    started: 'shell',
    check: 'opencode mcp list',
    rules: { user: opencode('AGENTS.md'), project: 'AGENTS.md' },
    toolName: 'lspan_*',
  },
  {
    id: 'cursor',
    title: 'Cursor',
    found: { programs: ['cursor', 'cursor-agent'], places: [home('.cursor')] },
    user: [home('.cursor/mcp.json')],
    project: ['.cursor/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'desktop',
    check: 'Settings, Tools & MCP; or cursor-agent mcp list',
    rules: {
      project: '.cursor/rules/lspan.mdc',
      head: '---\ndescription: When to use the tools of lspan\nalwaysApply: true\n---\n',
    },
    toolName: 'Mcp(lspan:*)',
  },
  {
    id: 'vscode',
    title: 'VS Code',
    aliases: ['code', 'github-copilot'],
    found: { programs: ['code'], places: [application('Code/User')] },
    user: [application('Code/User/mcp.json')],
    project: ['.vscode/mcp.json'],
    format: 'json',
    key: 'servers',
    shape: { ...standard, own: { type: 'stdio' } },
    started: 'desktop',
    check: 'the command "MCP: List Servers"',
    notes: ['It asks once whether it may start the server.'],
    rules: { project: '.github/copilot-instructions.md' },
    toolName: 'lspan/*',
  },
  {
    id: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    aliases: ['copilot', 'github-copilot-cli'],
    found: { programs: ['copilot'], places: [copilot('')] },
    user: [copilot('mcp-config.json')],
    project: ['.mcp.json', '.github/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: { ...standard, own: { type: 'stdio' }, initial: { tools: ['*'] } },
    started: 'shell',
    check: 'copilot mcp list',
    notes: [
      'It reads the file of a project only in folders that it trusts; Claude Code reads the same .mcp.json.',
    ],
    rules: { user: copilot('copilot-instructions.md'), project: 'AGENTS.md' },
    toolName: 'lspan(*)',
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    found: { places: [application('Claude')] },
    user: [application('Claude/claude_desktop_config.json')],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'desktop',
    check: 'restart it; Settings, Developer',
    notes: ['It has no project: add "--workspace" and a folder to args.'],
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    aliases: ['codeium', 'cascade'],
    found: { programs: ['windsurf'], places: [home('.codeium/windsurf')] },
    user: [home('.codeium/windsurf/mcp_config.json')],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'desktop',
    check: 'Settings, Cascade, MCP servers',
    rules: {
      user: home('.codeium/windsurf/memories/global_rules.md'),
      project: '.windsurf/rules/lspan.md',
      head: '---\ntrigger: always_on\n---\n',
    },
  },
  {
    id: 'zed',
    title: 'Zed',
    found: { programs: ['zed', 'zeditor'], places: zed('') },
    user: zed('settings.json'),
    project: ['.zed/settings.json'],
    format: 'json',
    key: 'context_servers',
    shape: { ...standard, initial: { source: 'custom', env: {} } },
    started: 'desktop',
    check: 'the command "agent: open settings"; the dot beside lspan is green',
    notes: ['It reads the file of a project only if it trusts the project.'],
    rules: { project: 'AGENTS.md' },
  },
  {
    id: 'cline',
    title: 'Cline (VS Code)',
    aliases: ['cline-vscode'],
    found: { places: [application(`${codeFolder}/saoudrizwan.claude-dev`)] },
    user: [application(`${codeFolder}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`)],
    format: 'json',
    key: 'mcpServers',
    shape: { ...standard, initial: { disabled: false } },
    started: 'desktop',
    check: 'its panel, MCP Servers, Configure',
    rules: { project: '.clinerules/lspan.md' },
  },
  {
    id: 'cline-cli',
    title: 'Cline CLI',
    found: {
      programs: ['cline'],
      places: [{ base: 'home', variable: 'CLINE_DIR', folder: '.cline', file: '' }],
    },
    user: [
      {
        base: 'home',
        variable: 'CLINE_DIR',
        folder: '.cline',
        file: 'data/settings/cline_mcp_settings.json',
      },
    ],
    format: 'json',
    key: 'mcpServers',
    shape: { ...standard, initial: { disabled: false } },
    started: 'shell',
    check: 'cline, then /mcp',
    rules: { project: '.clinerules/lspan.md' },
  },
  {
    id: 'kiro',
    title: 'Kiro',
    aliases: ['kiro-cli', 'kiro-ide'],
    found: { programs: ['kiro-cli', 'kiro'], places: [home('.kiro')] },
    user: [home('.kiro/settings/mcp.json')],
    project: ['.kiro/settings/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'desktop',
    check: 'kiro-cli mcp list; or the panel MCP Servers',
    notes: ['The IDE and the CLI read the same files.'],
    rules: { user: home('.kiro/steering/lspan.md'), project: '.kiro/steering/lspan.md' },
    toolName: '@lspan/*',
  },
  {
    id: 'antigravity',
    title: 'Antigravity',
    found: { programs: ['antigravity'], places: [home('.gemini/config'), home('.gemini/antigravity')] },
    user: [home('.gemini/config/mcp_config.json')],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'desktop',
    check: 'its panel, MCP Servers, Manage',
    rules: { user: home('.gemini/GEMINI.md'), project: 'AGENTS.md' },
  },
  {
    id: 'goose',
    title: 'Goose',
    found: { programs: ['goose'], places: goose('config.yaml') },
    user: goose('config.yaml'),
    format: 'yaml',
    key: 'extensions',
    shape: {
      program: 'cmd',
      own: { type: 'stdio' },
      initial: {
        name: 'lspan',
        description: 'What language servers know',
        enabled: true,
        envs: {},
        timeout: 300,
      },
    },
    started: 'desktop',
    check: 'goose info -v',
    rules: { project: '.goosehints' },
    toolName: 'lspan__*',
  },
  {
    id: 'kilo-code',
    title: 'Kilo Code',
    aliases: ['kilo', 'kilocode'],
    found: {
      programs: ['kilo'],
      places: [config('kilo'), application(`${codeFolder}/kilocode.kilo-code`)],
    },
    user: [config('kilo/kilo.json'), config('kilo/kilo.jsonc')],
    project: [
      'kilo.json',
      'kilo.jsonc',
      '.kilo/kilo.json',
      '.kilo/kilo.jsonc',
      '.kilocode/kilo.json',
      '.kilocode/kilo.jsonc',
    ],
    format: 'json',
    key: 'mcp',
    shape: oneList,
    started: 'desktop',
    check: 'kilo mcp list',
    rules: { project: 'AGENTS.md' },
    toolName: 'lspan_*',
  },
  {
    id: 'kimi-code',
    title: 'Kimi Code',
    aliases: ['kimi'],
    found: { programs: ['kimi'], places: [kimi('')] },
    user: [kimi('mcp.json')],
    project: ['.kimi-code/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: { ...standard, own: { transport: 'stdio' } },
    started: 'shell',
    check: 'kimi mcp list',
    notes: ['It reads the file of a project only if it trusts the folder.'],
    rules: { project: 'AGENTS.md' },
  },
  {
    id: 'grok-build',
    title: 'Grok Build',
    aliases: ['grok'],
    found: { programs: ['grok'], places: [grok('')] },
    user: [grok('config.toml')],
    project: ['.grok/config.toml'],
    format: 'toml',
    key: 'mcp_servers',
    shape: standard,
    started: 'shell',
    check: 'grok mcp list',
    rules: { project: 'AGENTS.md' },
  },
  {
    id: 'mastracode',
    title: 'Mastra Code',
    aliases: ['mastra'],
    found: { programs: ['mastracode'], places: [home('.mastracode')] },
    user: [home('.mastracode/mcp.json')],
    project: ['.mastracode/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'shell',
    check: 'mastracode, then /mcp',
    notes: ["It also reads a project's .mcp.json, that of Claude Code."],
    rules: { project: 'AGENTS.md' },
  },
  {
    id: 'mcporter',
    title: 'MCPorter',
    found: { programs: ['mcporter'], places: [home('.mcporter')] },
    user: [home('.mcporter/mcporter.json'), home('.mcporter/mcporter.jsonc')],
    project: ['config/mcporter.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'shell',
    check: 'mcporter list lspan',
  },
  {
    id: 'pi',
    title: 'Pi',
    aliases: ['pi-agent'],
    found: { programs: ['pi'], places: [pi('')] },
    user: [pi('mcp.json')],
    project: ['.pi/mcp.json'],
    format: 'json',
    key: 'mcpServers',
    shape: standard,
    started: 'shell',
    check: 'pi, then /mcp',
    notes: ['It needs the extension pi-mcp-adapter: pi install npm:pi-mcp-adapter'],
    rules: { user: pi('AGENTS.md'), project: 'AGENTS.md' },
  },
  {
    id: 'fx',
    title: 'fx',
    found: { programs: ['fx'], places: [home('.fx')] },
    user: [home('.fx/mcp.json')],
    format: 'json',
    key: 'mcp',
    shape: oneList,
    started: 'shell',
    check: 'fx, then /mcp',
    notes: ['A session that runs takes the change with /mcp reload.'],
  },
];

function home(file: string): Place {
  return { base: 'home', file };
}

function config(file: string): Place {
  return { base: 'config', file };
}

function application(file: string): Place {
  return { base: 'application', file };
}

function claude(file: string): Place {
  return { base: 'home', variable: 'CLAUDE_CONFIG_DIR', folder: '.claude', file };
}

function codex(file: string): Place {
  return { base: 'home', variable: 'CODEX_HOME', folder: '.codex', file };
}

function gemini(file: string): Place {
  return { base: 'home', variable: 'GEMINI_CLI_HOME', file: `.gemini/${file}` };
}

function opencode(file: string): Place {
  return { base: 'config', variable: 'OPENCODE_CONFIG_DIR', folder: 'opencode', file };
}

function copilot(file: string): Place {
  return { base: 'home', variable: 'COPILOT_HOME', folder: '.copilot', file };
}

function kimi(file: string): Place {
  return { base: 'home', variable: 'KIMI_CODE_HOME', folder: '.kimi-code', file };
}

function grok(file: string): Place {
  return { base: 'home', variable: 'GROK_HOME', folder: '.grok', file };
}

function pi(file: string): Place {
  return { base: 'home', variable: 'PI_CODING_AGENT_DIR', folder: '.pi/agent', file };
}

/** Only Windows has it among the applications, under another spelling. */
function zed(file: string): readonly Place[] {
  return [
    { base: 'config', folder: 'zed', file, only: ['linux'] },
    { base: 'home', folder: '.config/zed', file, only: ['darwin'] },
    { base: 'application', folder: 'Zed', file, only: ['win32'] },
  ];
}

function goose(file: string): readonly Place[] {
  return [
    { base: 'config', folder: 'goose', file, only: ['linux'] },
    { base: 'home', folder: '.config/goose', file, only: ['darwin'] },
    { base: 'application', folder: 'Block/goose/config', file, only: ['win32'] },
  ];
}
