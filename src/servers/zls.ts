import type { ServerDefinition } from './definition.ts';

/** zls: Zig. It runs `build.zig` in order to learn of modules. */
export const zls: ServerDefinition = {
  id: 'zls',
  untested: true,
  extensions: { zig: 'zig', zon: 'zig' },
  program: { sources: [{ kind: 'path', name: 'zls' }], args: [] },
  handshake: { settings: () => ({ zls: { enable_build_on_save: false } }) },
  ready: { kind: 'unknown' },
  trust: { runs: 'build.zig', boundTo: ['**/build.zig', '**/build.zig.zon'] },
  files: { writes: ['.zig-cache/'] },
  projects: { markers: ['build.zig'] },
  install: 'Install the zls of the same version as your Zig: https://zigtools.org/zls/install/',
};
