import type { ServerDefinition } from './definition.ts';

/** The server of the Dart SDK, for Dart and Flutter. */
export const dart: ServerDefinition = {
  id: 'dart',
  untested: true,
  extensions: { dart: 'dart' },
  program: [{ kind: 'path', name: 'dart' }],
  args: ['--suppress-analytics', 'language-server', '--protocol=lsp', '--client-id=lspan'],
  initializationOptions: () => ({
    onlyAnalyzeProjectsWithOpenFiles: false,
    suggestFromUnimportedLibraries: false,
  }),
  needsTrust: 'analyzer plugins',
  trustBinds: ['**/analysis_options.yaml', '**/pubspec.yaml', '**/pubspec.lock'],
  ready: { kind: 'progress', title: /^Analyzing/ },
  projectMarkers: ['pubspec.yaml'],
  watchAlso: ['.dart_tool/package_config.json'],
  restartsOn: ['.dart_tool/package_config.json'],
  writes: ['.dart_tool/'],
  install: 'It comes with the Dart SDK and with Flutter: https://dart.dev/get-dart',
};
