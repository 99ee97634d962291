import type { ServerDefinition } from './definition.ts';
import { javaBuilds } from './projects/java-projects.ts';

/** The community's server for Kotlin, used where JetBrains' own is not installed. */
export const kotlinLanguageServer: ServerDefinition = {
  id: 'kotlin-language-server',
  untested: true,
  group: 'kotlin',
  rank: 10,
  extensions: { kt: 'kotlin', kts: 'kotlin' },
  program: {
    sources: [{ kind: 'path', name: 'kotlin-language-server' }],
    args: [],
    initializeTimeout: 180_000,
  },
  // It stores its symbol index in this folder; without one, in memory.
  handshake: { initializationOptions: ({ cache }) => ({ storagePath: cache('kotlin-language-server') }) },
  ready: { kind: 'unknown' },
  trust: { runs: 'the Gradle or Maven build', boundTo: [...javaBuilds, '**/*.kts', '**/kls-classpath*'] },
  projects: {
    markers: ['settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts', 'pom.xml'],
  },
  install:
    'Install it with `brew install kotlin-language-server`, or see https://github.com/fwcd/kotlin-language-server',
};
