import type { ServerDefinition } from './definition.ts';

/** zls: Zig. It runs `build.zig` in order to learn of modules. */
export const zls: ServerDefinition = {
  id: 'zls',
  untested: true,
  extensions: { zig: 'zig', zon: 'zig' },
  program: [{ kind: 'path', name: 'zls' }],
  args: [],
  settings: () => ({ zls: { enable_build_on_save: false } }),
  needsTrust: 'build.zig',
  trustBinds: ['**/build.zig', '**/build.zig.zon'],
  ready: { kind: 'unknown' },
  projectMarkers: ['build.zig'],
  writes: ['.zig-cache/'],
  install: 'Install the zls of the same version as your Zig: https://zigtools.org/zls/install/',
};
