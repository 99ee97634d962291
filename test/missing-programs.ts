import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../src/backends/lsp/process/find-program.ts';
import { LspanError } from '../src/core/errors.ts';
import { servers } from '../src/servers/index.ts';

/**
 * True if everything that tests need was installed, as `.ci/run` does: then a test whose program is missing runs and
 * fails instead of being skipped.
 */
export const isComplete: boolean = process.env.LSPAN_TEST_COMPLETE === '1';

/** What cannot be proven on this machine, and why. The shipped and developed-with servers are never missing. */
export function missingPrograms(server: string): string {
  if (isComplete) return '';
  const meant = servers.filter(({ id }) => server.split('+').includes(id));
  const roots = [path.join(tmpdir(), 'lspan-scenario')];
  const reasons = meant.map(({ id, program, install }) => {
    try {
      findProgram(program.sources, { server: id, install, roots, environment: process.env });
      return '';
    } catch (error) {
      if (error instanceof LspanError && error.code === 'not_installed') return error.message;
      throw error;
    }
  });
  return reasons.filter((reason) => reason !== '').join(' ');
}

/** The title of a test that needs a server: it says why the test is skipped where the server is missing. */
export function onServer(server: string, title: string): string {
  const missing = missingPrograms(server);
  return missing === '' ? title : `${title} (skipped: ${missing})`;
}
