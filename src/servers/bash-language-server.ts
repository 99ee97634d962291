import { delimiter, join } from 'node:path';
import type { ProjectFacts, ServerDefinition } from './definition.ts';

const scripts = ['sh', 'bash', 'bats', 'ksh'] as const;

/**
 * Bash: names across scripts by text, definitions along `source`. It runs `shellcheck` where that is in PATH, and
 * `help` or `man` for a hover over a command of the system; no script of the repository.
 */
export const bashLanguageServer: ServerDefinition = {
  id: 'bash-language-server',
  extensions: {
    ...Object.fromEntries(scripts.map((extension) => [extension, 'shellscript'])),
    '.bashrc': 'shellscript',
    '.bash_profile': 'shellscript',
    '.bash_aliases': 'shellscript',
    '.profile': 'shellscript',
  },
  program: {
    sources: [
      { kind: 'package', name: 'bash-language-server', file: 'out/cli.js', run: 'node' },
      { kind: 'path', name: 'bash-language-server' },
    ],
    args: ['start'],
    rootEnv: ({ trusted }) => (trusted ? {} : withoutOptions),
  },
  handshake: {
    // While it waits for settings, it drops all opened documents but the last.
    clientCapabilities: { workspace: { configuration: false } },
    initializationOptions: () => ({
      globPattern: `**/*@(${scripts.map((extension) => `.${extension}`).join('|')})`,
      backgroundAnalysisMaxFiles: 5_000,
      // With an endpoint, it would send the hovered text over the network.
      explainshellEndpoint: '',
    }),
  },
  ready: { kind: 'log', message: /BackgroundAnalysis: Completed/ },
  doubts: (facts, service) => (service === 'diagnostics' ? unchecked(facts) : []),
  // It reads the scripts once, and ignores later changes and deletions.
  files: { restartsOn: scripts.map((extension) => `*.${extension}`) },
  disk: { imports: 'files', configFiles: ['.shellcheckrc', 'shellcheckrc', '.editorconfig'] },
  install: 'Install it with `lspan install bash-language-server`; shellcheck adds its warnings.',
};

/**
 * To complete options, it has bash-completion run whatever program of the system a script names, with `--help`, and
 * no setting prevents it. With these variables it does not find bash-completion.
 */
const withoutOptions = { PKG_CONFIG_LIBDIR: '/nonexistent', PKG_CONFIG_PATH: '', PREFIX: '/nonexistent' };

/** Without shellcheck it reports no problems at all, not even syntax errors. */
function unchecked({ environment, exists }: ProjectFacts) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const detail = 'Nothing was checked: shellcheck, which checks scripts, is not in PATH. Install it.';
  const found = folders.some((folder) => exists(join(folder, 'shellcheck')));
  return found ? [] : [{ kind: 'server_unavailable', detail } as const];
}
