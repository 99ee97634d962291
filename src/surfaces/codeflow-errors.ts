import type { ErrorCode, LspanError } from '../core/errors.ts';
import { toLineColumn } from '../core/position.ts';
import { isRecord } from '../core/runtime/json.ts';
import { lineOpenings } from '../tools/run/answer-words.ts';
import type { Outcome } from '../tools/run/tool.ts';
import { symbolIdIn } from '../tools/target/symbol-id.ts';
import { logInsteadOfStatus } from './reword-status.ts';
import { shiftCharacters } from './shift-characters.ts';

/** Renders `LSP Error (code): message` with the code of a language server, then candidates and the next step. */
export function renderCodeflowError({ data, error: thrown }: Outcome): Pick<Outcome, 'text' | 'data'> {
  const error = isRecord(data.error) ? data.error : {};
  const { code, message } = error;
  const ours = (typeof code === 'string' ? codes.get(code) : undefined) ?? requestFailed;
  const number = serverCode(thrown) ?? ours;
  const listed = Array.isArray(error.candidates) ? error.candidates : [];
  const candidates = listed.map(toPlace);
  const next = nextStep(error, candidates);
  const text = [
    `LSP Error (${number}): ${String(message)}`,
    ...candidates.map((candidate) => `  ${JSON.stringify(candidate)}`),
    ...(next === null ? [] : [`${lineOpenings.nextStep}${next}`]),
  ].join('\n');
  const shown = { ...error, next_step: next, ...(listed.length > 0 ? { candidates } : {}) };
  return { text, data: { ...data, error: shown } };
}

/** Returns the code with which a language server refused a request, if that is the cause of an error. */
function serverCode(thrown: LspanError | undefined): number | undefined {
  for (let error: unknown = thrown; error instanceof Error; error = error.cause) {
    if (error.name === 'ResponseError' && 'code' in error && typeof error.code === 'number')
      return error.code;
  }
  return undefined;
}

/** Converts a candidate to the fields of these tools, which have no ids. */
function toPlace(candidate: unknown): unknown {
  const { id, ...rest } = isRecord(candidate) ? candidate : {};
  const read = typeof id === 'string' ? symbolIdIn(id) : undefined;
  if (!read) return shiftCharacters(candidate, -1);
  const { file, position, name } = read;
  const { line } = toLineColumn(position);
  return { file_path: file, symbol_name: name, line, character: position.character, ...rest };
}

function nextStep({ next_step }: Record<string, unknown>, candidates: readonly unknown[]): string | null {
  if (candidates.some((one) => isRecord(one) && 'symbol_name' in one)) return chooseOne;
  if (typeof next_step !== 'string') return null;
  return codeflowPhrases.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), next_step);
}

const chooseOne = 'Call again with the `file_path`, `line` and `character` of the right one.';

/** Advice that only our tools allow, and what can be done with these instead. */
export const codeflowPhrases: readonly (readonly [ours: string, theirs: string])[] = [
  [
    'Omit `file_path` and `line` to search the workspace, or see',
    'Search by search_workspace_symbols, or see',
  ],
  ['Omit `file_path`, or give', 'Give'],
  ['Correct it, or give `edits` with the old and the new text.', 'Correct it.'],
  ['call undo_edit with that edit', 'run `lspan undo` in a shell'],
  ...logInsteadOfStatus,
];

const requestFailed = -32803;

/** Any other error is a request that failed. */
const codes: ReadonlyMap<string, number> = new Map<ErrorCode, number>([
  ['invalid_input', -32602],
  ['outside_workspace', -32602],
  ['cursor_invalid', -32602],
  ['not_supported', -32601],
  ['starting', -32002],
  ['cancelled', -32800],
  ['stale', -32801],
  ['cursor_stale', -32801],
  ['internal', -32603],
]);
