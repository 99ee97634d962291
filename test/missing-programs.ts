import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../src/backends/lsp/process/find-program.ts';
import { LspanError } from '../src/core/errors.ts';
import { servers } from '../src/servers/index.ts';

/** What cannot be proven on this machine, and why. The shipped and developed-with servers are never missing. */
export function missingPrograms(server: string): string {
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
