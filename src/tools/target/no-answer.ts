import { type Doubt, type DoubtKind, withoutRepeats } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';

/** Returns the error for an empty answer: nothing is there, or no server that could know was ready. */
export function noAnswerError(
  what: string,
  { name, adjusted }: { readonly name: string | undefined; readonly adjusted?: string | undefined },
  doubts: readonly Doubt[],
  /** Symbols of that name. */
  candidates: readonly object[] = [],
): LspanError {
  const read = adjusted === undefined ? '' : ` The target was read as: ${adjusted}.`;
  if (doubts.length > 0) return unverifiedError(`No ${what} was found`, doubts, { read, candidates });
  const subject =
    name === undefined
      ? 'There is no identifier at this position.'
      : `${JSON.stringify(name)} has no ${what}.`;
  return new LspanError('not_found', `${subject}${read}`, {
    nextStep: 'Check the position, or give `symbol_name`. get_document_symbols lists what a file defines.',
  });
}

/** Returns the error for a list of names or a pattern, for which nothing was found; `undefined` for what may be one name. */
export function notOneName(given: string): LspanError | undefined {
  const words = given.match(/[\p{ID_Start}_][\p{ID_Continue}]*/gu) ?? [];
  const names = words.filter((word) => !wordsBeside.test(word));
  const isList = words.length > 1 && listed.test(given);
  const [likely = '', ...others] = names;
  if (likely === '' || !(isList || pattern.test(given))) return undefined;
  const longest = others.reduce((best, name) => (name.length > best.length ? name : best), likely);
  return new LspanError('invalid_input', `${JSON.stringify(given)} is a list or a pattern, not one name.`, {
    nextStep: `Give one name a call, such as \`${isList ? likely : longest}\`.`,
  });
}

/** Words of sentences and declarations that are no names. */
const wordsBeside =
  /^(?:or|and|the|in|of|from|import|export|class|def|function|const|let|var|type|interface)$/i;

const listed = /^[\p{ID_Continue}$.#:]+(?:[\s,|;&]+[\p{ID_Continue}$.#:]+)+$/u;

const pattern = /[|^*?\\]|.\$$/;

interface Unverified {
  readonly read?: string;
  readonly otherwise?: string;
  /** Doubts whose text already says what to do. */
  readonly known?: readonly Doubt[];
  /** What may be meant. */
  readonly candidates?: readonly object[];
}

/** Returns the error for an empty answer that may be wrong: every reason, and what can be done about each. */
export function unverifiedError(
  finding: string,
  doubts: readonly Doubt[],
  { read = '', otherwise, known = [], candidates = [] }: Unverified = {},
): LspanError {
  const reasons = [...new Set(withoutRepeats([...doubts, ...known]).map(({ detail }) => detail))];
  const hasCandidates = candidates.length > 0;
  const steps = remedies.filter(
    ({ kinds, step }) =>
      doubts.some(({ kind }) => kinds.includes(kind)) && !(hasCandidates && step === searching),
  );
  const all = [hasCandidates ? choosing : undefined, ...steps.map(({ step }) => step), otherwise];
  return new LspanError(
    'server_unverified',
    `${finding}, but this is not certain: ${reasons.join(' ')}${read}`,
    {
      ...(hasCandidates ? { candidates } : {}),
      nextStep: all.filter((step) => step !== undefined).join(' '),
      retryable: steps.some(({ passes }) => passes === true),
    },
  );
}

const searching = 'Search for the name: search_workspace_symbols, or the text.';
const choosing = 'These have the name. If one of them is meant, call again with just its `id`.';

/** Remedies by kind of doubt, the easiest first; `passes` if the doubt may be gone by the next call. */
const remedies: readonly {
  readonly kinds: readonly DoubtKind[];
  readonly step: string;
  readonly passes?: true;
}[] = [
  {
    kinds: ['indexing', 'server_restarted', 'timed_out'],
    step: 'Call again: servers are still loading.',
    passes: true,
  },
  {
    kinds: ['server_unavailable'],
    step: 'get_server_status shows what is wrong with the server.',
    passes: true,
  },
  { kinds: ['project_not_loaded'], step: "Fix the server's setup, or search the text." },
  { kinds: ['not_trusted'], step: 'Tell the user about `lspan trust`, or search the text.' },
  { kinds: ['unverified'], step: searching },
  { kinds: ['capped'], step: 'Give more of the name.' },
  { kinds: ['watch_lost'], step: 'Search the text too.' },
  { kinds: ['unsaved_elsewhere'], step: 'Let the user save the file, then call again.', passes: true },
];
