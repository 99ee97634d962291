/** Globs of files that decide what Gradle and Maven run when a server queries the build. */
export const javaBuilds = [
  '**/*.gradle',
  '**/*.gradle.kts',
  '**/gradle.properties',
  '**/gradlew',
  '**/gradle/wrapper/**',
  '**/buildSrc/**',
  '**/pom.xml',
  '**/mvnw',
  '**/.mvn/**',
] as const;
