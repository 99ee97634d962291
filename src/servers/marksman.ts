import type { ServerDefinition } from './definition.ts';

/** Marksman: headings and links of Markdown. */
export const marksman: ServerDefinition = {
  id: 'marksman',
  untested: true,
  extensions: { md: 'markdown', markdown: 'markdown' },
  program: { sources: [{ kind: 'path', name: 'marksman' }], args: ['server'] },
  // No symbols: nearly every repository has Markdown, and few symbol searches are for a heading.
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'diagnostics',
    'rename',
    'actions',
    'completions',
  ],
  ready: { kind: 'unknown' },
  install: 'Install it with `brew install marksman`, or see https://github.com/artempyanykh/marksman',
};
