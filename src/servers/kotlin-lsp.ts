import type { ServerDefinition } from './definition.ts';
import { javaBuilds } from './projects/java-projects.ts';

/** JetBrains' server for Kotlin. It asks Gradle or Maven how the project is built. */
export const kotlinLsp: ServerDefinition = {
  id: 'kotlin-lsp',
  untested: true,
  group: 'kotlin',
  rank: 20,
  extensions: { kt: 'kotlin', kts: 'kotlin' },
  program: { sources: [{ kind: 'path', name: 'kotlin-lsp' }], args: ['--stdio'], initializeTimeout: 180_000 },
  ready: { kind: 'unknown' },
  trust: { runs: 'the Gradle or Maven build', boundTo: [...javaBuilds, '**/*.kts', 'workspace.json'] },
  projects: {
    markers: ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts', 'pom.xml'],
  },
  install:
    'Install it with `brew install JetBrains/utils/kotlin-lsp`, or see https://github.com/Kotlin/kotlin-lsp',
};
