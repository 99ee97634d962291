import { LspanError } from '../../../core/errors.ts';
import type { Service } from '../../../servers/definition.ts';

/** What a call is told that asks of servers what they do not answer. `who` is the subject of a sentence and its verb. */
export function notAble(who: string, service: Service, part = '', nextStep?: string): LspanError {
  return new LspanError('not_supported', `${who} ${nouns[service] ?? service} questions${part}.`, {
    ...(nextStep === undefined ? {} : { nextStep }),
  });
}

/** What questions are called where their own name says little. */
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
