import type { ServerDefinition } from './definition.ts';

/** The server of the Dart SDK, for Dart and Flutter. */
export const dart: ServerDefinition = {
  id: 'dart',
  untested: true,
  extensions: { dart: 'dart' },
  program: {
    sources: [{ kind: 'path', name: 'dart' }],
    args: ['--suppress-analytics', 'language-server', '--protocol=lsp', '--client-id=lspan'],
  },
  handshake: {
    initializationOptions: () => ({
      onlyAnalyzeProjectsWithOpenFiles: false,
      suggestFromUnimportedLibraries: false,
    }),
  },
  ready: { kind: 'progress', title: /^Analyzing/ },
  trust: {
    runs: 'analyzer plugins',
    boundTo: ['**/analysis_options.yaml', '**/pubspec.yaml', '**/pubspec.lock'],
  },
  files: {
    watchAlso: ['.dart_tool/package_config.json'],
    restartsOn: ['.dart_tool/package_config.json'],
    writes: ['.dart_tool/'],
  },
  projects: { markers: ['pubspec.yaml'] },
  install: 'It comes with the Dart SDK and with Flutter: https://dart.dev/get-dart',
};
