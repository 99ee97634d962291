import { extname } from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';

const nextStep = 'Add one under [[servers]] in the user configuration, or search the text instead.';

/** Error: no server is known for a file. */
export function noServer(path: string): LspanError {
  return new LspanError('not_supported', `No language server is known for ${filesLike(path)}.`, { nextStep });
}

/** Error: the user's rules name no server for a file. */
export function noneWanted(path: string, wanted: readonly string[]): LspanError {
  const message =
    wanted.length === 0
      ? 'The user configuration names no server for this file.'
      : `The user configuration names ${wanted.join(', ')} for this file, but it does not serve ${filesLike(path)}.`;
  return new LspanError('not_supported', message, {
    nextStep:
      'Search the text instead, or let the user name another server under [files] in the user configuration.',
  });
}

/** Like `noServer`, but for many files. */
export function noServerAtAll(subject = 'any file of this workspace'): LspanError {
  const message = `No language server is known for ${subject}.`;
  return new LspanError('not_supported', message, { nextStep });
}

/** Error: no server of a file, or of the workspace, answers this kind of question. */
export function notAnswered(
  serving: readonly ServerDefinition[],
  service: Service,
  subject = 'this file',
): LspanError {
  const ids = serving.map(({ id }) => id).join(', ');
  return notAble(`No server for ${subject} (${ids}) answers`, service);
}

/** Error for a server that asks for another one, which the user has switched off. */
export function switchedOff(id: string): LspanError {
  return new LspanError('not_installed', `${id} is disabled.`, {
    nextStep: `Enable ${id} in the user configuration.`,
  });
}

function filesLike(path: string): string {
  return extname(path) ? `${extname(path)} files` : 'files without an extension';
}

/** Error: servers do not answer this kind of question. `who` is the subject of a sentence and its verb. */
export function notAble(who: string, service: Service, part = '', nextStep?: string): LspanError {
  return new LspanError('not_supported', `${who} ${nouns[service] ?? service} questions${part}.`, {
    ...(nextStep === undefined ? {} : { nextStep }),
  });
}

/** Names of questions whose own name says little. */
const nouns: Partial<Readonly<Record<Service, string>>> = {
  outline: 'document symbol',
  symbols: 'workspace symbol',
  actions: 'code action',
  format: 'formatting',
  type: 'type definition',
  implementations: 'implementation',
  calls: 'call hierarchy',
  types: 'type hierarchy',
  completions: 'completion',
  signatures: 'signature',
  hints: 'inlay hint',
};
