import { LspanError } from '../core/errors.ts';

/** The error of every call if there is no workspace. */
export function noWorkspace(): LspanError {
  const message = 'No workspace is known: lspan was started outside any project.';
  const nextStep = 'Start lspan with `--workspace DIR`, or in a project folder.';
  return new LspanError('outside_workspace', message, { nextStep });
}
