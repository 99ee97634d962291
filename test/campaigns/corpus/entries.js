// The code of others that the corpus campaign is about: exact versions from npm, and packages of the distribution.
// Nothing of it is committed.

/**
 * `main` is the source of what a package of TypeScript exports, `options` are what the configuration of its repository says.
 * @typedef {{
 *   name: string, language: string, version?: string, files?: string, needs?: string[],
 *   main?: string, options?: { paths?: Record<string, string[]>, customConditions?: string[] },
 * }} Entry
 */

/** @type {Entry[]} */
export const entries = [
  { language: 'typescript', name: 'rxjs', version: '7.8.2', files: 'src' },
  {
    language: 'typescript',
    name: 'zod',
    version: '4.6.7',
    files: 'src',
    options: { customConditions: ['@zod/source'] },
  },
  {
    language: 'typescript',
    name: '@reduxjs/toolkit',
    version: '2.14.0',
    files: 'src',
    options: {
      paths: {
        '@reduxjs/toolkit': ['./src/index.ts'],
        '@reduxjs/toolkit/query': ['./src/query/index.ts'],
        '@reduxjs/toolkit/query/react': ['./src/query/react/index.ts'],
        '@internal/*': ['./src/*'],
      },
    },
  },
  { language: 'typescript', name: '@trpc/server', version: '11.23.0', files: 'src' },
  { language: 'typescript', name: 'mobx', version: '7.1.3', files: 'src', main: 'src/mobx.ts' },
  {
    language: 'typescript',
    name: '@tanstack/query-core',
    version: '5.107.1',
    files: 'src',
    options: { customConditions: ['@tanstack/custom-condition'] },
  },
  { language: 'typescript', name: 'abitype', version: '1.3.0', files: 'src', main: 'src/exports/index.ts' },
  { language: 'javascript', name: 'express', version: '5.3.0' },
  { language: 'javascript', name: 'koa', version: '3.2.1' },
  { language: 'javascript', name: 'ws', version: '8.23.0' },
  { language: 'javascript', name: 'commander', version: '15.1.0' },
  { language: 'javascript', name: 'pino', version: '10.4.0' },
  { language: 'javascript', name: 'fastify', version: '5.12.8' },
  {
    language: 'python',
    name: 'python3-requests',
    files: 'requests',
    needs: ['python3-urllib3', 'python3-idna'],
  },
  { language: 'python', name: 'python3-click', files: 'click' },
  { language: 'python', name: 'python3-jinja2', files: 'jinja2', needs: ['python3-markupsafe'] },
  {
    language: 'python',
    name: 'python3-flask',
    files: 'flask',
    needs: ['python3-werkzeug', 'python3-click', 'python3-jinja2'],
  },
  { language: 'go', name: 'golang-github-spf13-pflag-dev', files: 'github.com/spf13/pflag' },
  {
    language: 'go',
    name: 'golang-github-spf13-cobra-dev',
    files: 'github.com/spf13/cobra',
    needs: ['golang-github-spf13-pflag-dev'],
  },
  { language: 'go', name: 'golang-github-gorilla-mux-dev', files: 'github.com/gorilla/mux' },
  { language: 'rust', name: 'librust-itoa-dev', files: 'itoa' },
  { language: 'rust', name: 'librust-semver-dev', files: 'semver' },
  { language: 'c', name: 'hiredis', version: '0.5.0', files: 'deps/hiredis' },
  { language: 'c', name: 'node-expat', version: '2.4.1', files: 'deps/libexpat' },
];
