import { LspanError } from '../../core/errors.ts';
import type { Service } from './server-definition.ts';

/** What a call is told that asks of servers what they do not answer. `who` is the subject of a sentence and its verb. */
export function notAble(who: string, service: Service, part = '', nextStep?: string): LspanError {
  const { noun = service, instead = 'Use another tool, or search the text instead.' } = words[service] ?? {};
  return new LspanError('not_supported', `${who} ${noun} questions${part}.`, {
    nextStep: nextStep ?? instead,
  });
}

/** What questions are called where their own name says little, and what an agent can do where nobody answers them. */
const words: Partial<Readonly<Record<Service, { readonly noun?: string; readonly instead: string }>>> = {
  declaration: { instead: 'find_definition, without `kind`, tells where it is defined.' },
  type: {
    noun: 'type definition',
    instead: 'get_hover shows the type; find_definition finds it by its name.',
  },
  implementations: {
    noun: 'implementation',
    instead: 'find_references lists every use, those by what extends or implements it included.',
  },
  calls: {
    noun: 'call hierarchy',
    instead:
      'find_references lists every use, calls included, and what each stands in; what a function calls is in its text.',
  },
  types: {
    noun: 'type hierarchy',
    instead:
      'find_implementations lists what extends or implements it, find_definition shows what it extends itself.',
  },
  completions: { noun: 'completion', instead: 'get_document_symbols lists what a file defines.' },
  signatures: { noun: 'signature', instead: 'get_hover on the name of the function shows its signature.' },
  hints: { noun: 'inlay hint', instead: 'get_hover shows the type of what is at a position.' },
};
