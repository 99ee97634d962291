import type { ServerDefinition } from './definition.ts';

/** LuaLS: Lua. It runs a plugin that the repository names only after a person agreed, which lspan never does. */
export const luaLanguageServer: ServerDefinition = {
  id: 'lua-language-server',
  untested: true,
  extensions: { lua: 'lua' },
  program: {
    sources: [{ kind: 'path', name: 'lua-language-server' }],
    args: ['--locale=en-us'],
    // By default it writes its log and the files that it unpacks into its installation folder.
    rootArgs: ({ cache }) => [`--logpath=${cache('lua/log')}`, `--metapath=${cache('lua/meta')}`],
  },
  handshake: {
    initializationOptions: () => ({ changeConfiguration: false }),
    settings: () => ({
      Lua: {
        telemetry: { enable: false },
        workspace: { checkThirdParty: false },
        addonManager: { enable: false },
      },
    }),
  },
  // It reports loading only if that takes long, and delays its answers until it is done.
  ready: { kind: 'progress', title: /^Loading workspace/, orSilence: true },
  projects: { markers: ['.luarc.json', '.luarc.jsonc'] },
  install: 'Install it with `brew install lua-language-server`, or see https://luals.github.io/#install',
};
