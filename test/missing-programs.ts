import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../src/backends/lsp/process/find-program.ts';
import { LspanError } from '../src/core/errors.ts';
import { findOnPath } from '../src/offline.ts';
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

/** The programs of the system that tests need and this machine lacks, as the reason of a skip; empty if it has them. */
export function lackedPrograms(...names: readonly string[]): string {
  const lacked = names.filter((name) => !isComplete && findOnPath(name, process.env) === undefined);
  return lacked.length === 0
    ? ''
    : `${lacked.join(' and ')} ${lacked.length > 1 ? 'are' : 'is'} not installed`;
}

/** The title of a test that is skipped for a reason, which it says; without one, the title as it is. */
export function unlessSkipped(reason: string, title: string): string {
  return reason === '' ? title : `${title} (skipped: ${reason})`;
}

/** The title of a test that needs a server: it says why the test is skipped where the server is missing. */
export function onServer(server: string, title: string): string {
  return unlessSkipped(missingPrograms(server), title);
}
