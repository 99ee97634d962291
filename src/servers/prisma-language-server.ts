import { join } from 'node:path';
import type { ProjectFacts, ServerDefinition } from './definition.ts';
import { guardedNode, readsOnlyNamed } from './node-guard.ts';

const configurations = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts'].map((ending) => `prisma.config.${ending}`);

/** Prisma: the schema, in one file or in several beside each other. */
export const prismaLanguageServer: ServerDefinition = {
  id: 'prisma-language-server',
  extensions: { prisma: 'prisma' },
  program: {
    sources: [
      { kind: 'package', name: '@prisma/language-server', file: 'dist/bin.js', run: 'node' },
      { kind: 'path', name: 'prisma-language-server' },
    ],
    args: ['--stdio'],
    // It runs the `prisma.config.ts` of its working directory.
    workingFolder: ({ trusted, root, cache }) => (trusted ? root : cache('prisma')),
    // It reads every file beside a schema, wherever a link leads, and ends at a link that leads to nothing.
    rootEnv: (facts, program, named) =>
      facts.trusted
        ? {}
        : guardedNode(facts, {
            ...readsOnlyNamed(program, [...named, facts.cache('prisma')]),
            hidesLinks: true,
          }),
  },
  answers: ['definition', 'references', 'hover', 'outline', 'diagnostics', 'rename', 'format', 'completions'],
  ready: { kind: 'immediate' },
  doubts: (facts) => (facts.trusted ? [] : unread(facts)),
  trust: { boundTo: configurations },
  // It checks a file again only after an edit of that file, even if the rest of the schema changes.
  files: { restartsOn: ['*.prisma'] },
  install: 'Install it with `lspan install prisma-language-server`.',
};

function unread({ root, exists }: ProjectFacts) {
  const found = configurations.find((name) => exists(join(root, name)));
  const detail = `${found} is not run: the schema may be incomplete.`;
  return found === undefined ? [] : [{ kind: 'not_trusted', detail } as const];
}
