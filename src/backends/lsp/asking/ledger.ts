import type { AnswerOf, QuestionKind } from '../../../core/questions.ts';
import type { Shelf } from './answer-store.ts';
import type { Flight } from './coalesce.ts';

/** How a kind of question is spared: its answers are kept, or shared with who asks the same moment, or it is asked each time. */
type Treatment = 'kept' | 'shared' | 'asked';

/** What is under way and known of one kind of question. */
export class Ledger<T> {
  readonly treatment: Treatment;
  readonly flight: Flight<T> = new Map();
  readonly shelf: Shelf<T> = new Map();

  constructor(treatment: Treatment) {
    this.treatment = treatment;
  }
}

/** One for each kind of question. What proposes a change is asked for each time, and so is what nobody asks twice. */
export function openLedgers(): { readonly [K in QuestionKind]: Ledger<AnswerOf<K>> } {
  return {
    definition: new Ledger('kept'),
    declaration: new Ledger('kept'),
    type: new Ledger('kept'),
    implementations: new Ledger('kept'),
    references: new Ledger('kept'),
    calls: new Ledger('kept'),
    types: new Ledger('kept'),
    hover: new Ledger('kept'),
    outline: new Ledger('kept'),
    symbols: new Ledger('kept'),
    completions: new Ledger('shared'),
    signatures: new Ledger('shared'),
    hints: new Ledger('shared'),
    actions: new Ledger('asked'),
    rename: new Ledger('asked'),
    moves: new Ledger('asked'),
    format: new Ledger('asked'),
  };
}
