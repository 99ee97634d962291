import type { ProjectFacts, ServerDefinition } from './definition.ts';
import { typescriptConfigFiles, typescriptExtensions } from './typescript.ts';

/** Biome: lint of JavaScript, TypeScript, JSON, CSS and GraphQL. Its plugins are patterns, and run nothing. */
export const biome: ServerDefinition = {
  id: 'biome',
  // If it is configured, it is the formatter.
  rank: 30,
  extensions: {
    ...typescriptExtensions,
    json: 'json',
    jsonc: 'jsonc',
    css: 'css',
    graphql: 'graphql',
    gql: 'graphql',
  },
  program: {
    sources: [
      {
        kind: 'package',
        name: '@biomejs/cli-${platform}-${arch}',
        via: '@biomejs/biome',
        file: 'biome${exe}',
        run: 'native',
      },
      { kind: 'path', name: 'biome' },
    ],
    args: ['lsp-proxy'],
    rootEnv: ownDaemon,
    // The proxy waits half a second for its daemon, which takes longer to start on a busy machine.
    startAttempts: 6,
  },
  answers: ['diagnostics', 'actions', 'format'],
  ready: { kind: 'progress', title: /^Biome is scanning the project/ },
  files: { onlyBelow: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc'] },
  projects: { markers: ['biome.json', 'biome.jsonc', '.biome.json', '.biome.jsonc', '.editorconfig'] },
  disk: { configFiles: [...typescriptConfigFiles, '.gitignore'] },
  // After its scan it checks open files again: until then, a rule may not know the other files.
  diagnostics: { quiet: 300 },
  install: 'Install it with `lspan install biome`.',
};

/**
 * By default the proxy connects, over a socket in the user's cache folder, to a daemon that all editors share,
 * including their unsaved text. In a folder of its own, it starts a daemon that ends with it.
 */
function ownDaemon({ temporary }: ProjectFacts): Readonly<Record<string, string>> {
  const folder = temporary();
  const place = process.platform === 'darwin' ? { HOME: folder } : { XDG_CACHE_HOME: folder };
  return { ...place, BIOME_LOG_PATH: folder };
}
