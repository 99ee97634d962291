import type { ServerDefinition } from './definition.ts';
import { javaBuilds } from './projects/java-projects.ts';

/** Eclipse JDT: Java. What it keeps of a workspace, and the project files that it makes, stay outside the tree. */
export const jdtls: ServerDefinition = {
  id: 'jdtls',
  untested: true,
  extensions: { java: 'java' },
  program: {
    sources: [{ kind: 'path', name: 'jdtls' }],
    args: ['--jvm-arg=-Djava.import.generatesMetadataFilesAtProjectRoot=false'],
    rootArgs: ({ cache }) => ['-data', cache('jdtls')],
    initializeTimeout: 180_000,
  },
  handshake: { initializationOptions: () => ({ settings }), settings: () => settings },
  ready: {
    kind: 'notification',
    method: 'language/status',
    ready: (params) => phases.get(field(params, 'type')),
    doing: (params) => (field(params, 'type') === 'Starting' ? field(params, 'message') : undefined),
    trouble: (params) => (field(params, 'type') === 'Error' ? field(params, 'message') : undefined),
  },
  trust: { runs: 'the Gradle or Maven build', boundTo: javaBuilds },
  projects: {
    markers: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  },
  install:
    'Install a JDK 21 and Eclipse JDT Language Server, so that `jdtls` is in PATH: https://github.com/eclipse-jdtls/eclipse.jdt.ls',
};

/** Other phases report the state of a project, even after the server is ready. */
const phases: ReadonlyMap<string | undefined, boolean> = new Map([
  ['Starting', false],
  ['ServiceReady', true],
]);

function field(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** Downloads of library sources are off, because they use the network. */
const settings = {
  java: {
    eclipse: { downloadSources: false },
    maven: { downloadSources: false },
    configuration: { updateBuildConfiguration: 'automatic' },
  },
} as const;
