/** Files that decide what Gradle and Maven run when a server asks them how the project is built. */
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
