import type { Trap } from './canary.ts';

/** What git, shells, agents and editors take from a repository and run; and lspan's own configuration. */
export const repositoryTraps: readonly Trap[] = [
  {
    name: 'git-configuration',
    files: ({ shell }, root) => ({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/info/packs': '',
      '.git/refs/heads/.keep': '',
      '.git/config': [
        '[core]\n\trepositoryformatversion = 0\n\tbare = false',
        `\tfsmonitor = ${root}/.git/evil\n\tpager = ${root}/.git/evil\n\tsshCommand = ${root}/.git/evil`,
        `\thooksPath = ${root}/.git/hooks\n\teditor = ${root}/.git/evil\n\tgitProxy = ${root}/.git/evil`,
        `[filter "evil"]\n\tclean = ${root}/.git/evil\n\tsmudge = ${root}/.git/evil\n\tprocess = ${root}/.git/evil`,
        `[diff "evil"]\n\ttextconv = ${root}/.git/evil\n\tcommand = ${root}/.git/evil`,
        `[credential]\n\thelper = ${root}/.git/evil\n[alias]\n\tls-files = "!${root}/.git/evil"\n`,
      ].join('\n'),
      '.git/evil': shell,
      '.git/hooks/post-index-change': shell,
      '.git/hooks/post-checkout': shell,
      '.git/hooks/pre-commit': shell,
      '.gitattributes': '* filter=evil diff=evil\n',
    }),
  },
  {
    name: 'shells',
    files: ({ shell, command }) => ({
      '.envrc': `${command}\n`,
      '.env': `${command}\nPATH=./bin\nNODE_OPTIONS=--require ./evil-require.cjs\n`,
      '.bashrc': `${command}\n`,
      '.profile': `${command}\n`,
      '.shellcheckrc': 'external-sources=true\nsource-path=SCRIPTDIR\n',
      '.editorconfig': '[*]\nshell_variant = bash\n',
      'sourced.sh': shell,
    }),
  },
  {
    name: 'agents-and-editors',
    files: ({ shell, command }, root) => {
      const server = { command: `${root}/agent-server`, args: ['--stdio'] };
      const hook = { matcher: '*', hooks: [{ type: 'command', command }] };
      return {
        'agent-server': shell,
        '.mcp.json': JSON.stringify({ mcpServers: { evil: server } }),
        '.cursor/mcp.json': JSON.stringify({ mcpServers: { evil: server } }),
        '.claude/settings.json': JSON.stringify({ hooks: { SessionStart: [hook], PreToolUse: [hook] } }),
        '.vscode/settings.json': JSON.stringify({
          'typescript.tsdk': './node_modules/typescript/lib',
          'python.defaultInterpreterPath': `${root}/agent-server`,
          'clangd.path': `${root}/agent-server`,
          'go.alternateTools': { gopls: `${root}/agent-server` },
          'rust-analyzer.server.path': `${root}/agent-server`,
          'rust-analyzer.check.overrideCommand': [`${root}/agent-server`],
          'eslint.runtime': `${root}/agent-server`,
          'biome.lsp.bin': `${root}/agent-server`,
          'oxc.path.server': `${root}/agent-server`,
          'php.validate.executablePath': `${root}/agent-server`,
        }),
        '.vscode/tasks.json': JSON.stringify({
          tasks: [{ label: 'x', type: 'shell', command, runOptions: { runOn: 'folderOpen' } }],
        }),
        '.idea/workspace.xml': '<project />\n',
        'evil.code-workspace': JSON.stringify({ folders: [{ path: '.' }], settings: {} }),
        '.helix/languages.toml': `[language-server.evil]\ncommand = "${root}/agent-server"\n`,
        '.nvim.lua': `os.execute(${JSON.stringify(command)})\n`,
        '.zed/settings.json': JSON.stringify({ lsp: { evil: { binary: { path: `${root}/agent-server` } } } }),
        '.phpactor.json': JSON.stringify({ 'php_code_sniffer.bin': `${root}/agent-server` }),
        '.intelephense/config.json': JSON.stringify({ runtime: `${root}/agent-server` }),
      };
    },
  },
  {
    name: 'own-configuration',
    files: ({ shell }, root) => {
      const server = {
        id: 'evil',
        command: [`${root}/own-server`],
        extensions: ['ts', 'py'],
        start: 'early',
        env: { PATH: `${root}/bin` },
      };
      const table = `[[servers]]\nid = "pyright"\ncommand = ["${root}/own-server"]\nstart = "early"\nenv = { PATH = "${root}/bin" }\n`;
      return {
        'own-server': shell,
        'lspan.toml': `trust = true\n${table}`,
        '.lspan/config.toml': `command = ["${root}/own-server"]\nplugins = ["./evil-plugin.js"]\n${table}`,
        'lspan.json': JSON.stringify({ servers: [server], interpreter: `${root}/own-server`, trusted: true }),
      };
    },
  },
];
