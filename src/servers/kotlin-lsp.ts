import type { ServerDefinition } from './definition.ts';
import { javaBuilds } from './projects/java-projects.ts';

/** JetBrains' server for Kotlin. It asks Gradle or Maven how the project is built. */
export const kotlinLsp: ServerDefinition = {
  id: 'kotlin-lsp',
  untested: true,
  group: 'kotlin',
  rank: 20,
  extensions: { kt: 'kotlin', kts: 'kotlin' },
  program: [{ kind: 'path', name: 'kotlin-lsp' }],
  args: ['--stdio'],
  needsTrust: 'the Gradle or Maven build',
  trustBinds: [...javaBuilds, '**/*.kts', 'workspace.json'],
  ready: { kind: 'unknown' },
  initializeTimeout: 180_000,
  projectMarkers: ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts', 'pom.xml'],
  install:
    'Install it with `brew install JetBrains/utils/kotlin-lsp`, or see https://github.com/Kotlin/kotlin-lsp',
};
