import type { ServerDefinition } from '../../src/servers/definition.ts';

const plain = {
  extensions: { txt: 'plaintext' },
  program: { sources: [], args: [] },
  ready: { kind: 'immediate' },
  install: 'It is part of the tests.',
} as const;

/** Servers that run what a repository holds: one not at all without trust, one only in part; and one that does not. */
export const servers: readonly ServerDefinition[] = [
  { ...plain, id: 'plain' },
  {
    ...plain,
    id: 'linter',
    answers: ['diagnostics', 'symbols'],
    trust: { runs: 'the rules', boundTo: ['rules.cfg', '**/plugin.js', 'node_modules/.lock.json'] },
  },
  {
    ...plain,
    id: 'builder',
    extensions: { src: 'plaintext' },
    trust: { boundTo: ['build.cfg'] },
    doubts: ({ trusted }) =>
      trusted ? [] : [{ kind: 'not_trusted', detail: 'builder leaves the scripts out.' }],
    handshake: { initializationOptions: ({ trusted }) => ({ runsScripts: trusted }) },
  },
];
