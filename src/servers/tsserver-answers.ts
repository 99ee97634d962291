import { pathToFileURL } from 'node:url';
import { field } from './traits.ts';

/** Returns whether tsserver completed a request: one that was cancelled or never received is answered too. */
export function isSuccess(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true;
}

/** Returns the body of a tsserver answer if it is a list, otherwise an empty list. */
export function bodyOf(answer: unknown): readonly unknown[] {
  const body = field(answer, 'body');
  return Array.isArray(body) ? body : [];
}

/** Converts the symbols of a tsserver answer to LSP; tsserver counts lines and columns from 1. */
export function symbolsOf(answer: unknown): unknown {
  // A failure is passed on: since it is not a list, it is reported as a missing answer.
  if (!isSuccess(answer)) return answer;
  return bodyOf(answer).map((item) => ({
    name: field(item, 'name'),
    kind: kinds[String(field(item, 'kind'))] ?? variable,
    containerName: field(item, 'containerName'),
    location: {
      uri: pathToFileURL(String(field(item, 'file'))).href,
      range: { start: position(field(item, 'start')), end: position(field(item, 'end')) },
    },
  }));
}

/** Converts the diagnostics of a tsserver answer to LSP; `undefined` if it did not check the file. */
export function diagnosticsOf(answer: unknown): readonly unknown[] | undefined {
  if (!isSuccess(answer)) return undefined;
  return bodyOf(answer).map((item) => ({
    range: { start: position(field(item, 'start')), end: position(field(item, 'end')) },
    severity: severityOf[String(field(item, 'category'))] ?? severityOf.error,
    code: field(item, 'code'),
    source: field(item, 'source') ?? 'typescript',
    message: field(item, 'text'),
  }));
}

/** Maps tsserver's categories to the severities of LSP. */
const severityOf: Readonly<Record<string, number>> = { error: 1, warning: 2, message: 3, suggestion: 4 };

/** Converts the edit of a tsserver refactoring to an LSP workspace edit. */
export function refactoringOf(answer: unknown): unknown {
  const edits = field(field(answer, 'body'), 'edits');
  if (!isSuccess(answer) || !Array.isArray(edits)) return 'no edit';
  return { documentChanges: edits.flatMap(fileEdits) };
}

/** Only the edit of a file that does not exist yet starts on line 0. */
function fileEdits(file: unknown): readonly object[] {
  const uri = pathToFileURL(String(field(file, 'fileName'))).href;
  const changes = field(file, 'textChanges');
  const all = Array.isArray(changes) ? changes : [];
  const isNew = all.some((change) => field(field(change, 'start'), 'line') === 0);
  const edits = all.map((change) => ({
    range: isNew ? nowhere : { start: position(field(change, 'start')), end: position(field(change, 'end')) },
    newText: field(change, 'newText'),
  }));
  const edit = { textDocument: { uri, version: null }, edits };
  return isNew ? [{ kind: 'create', uri }, edit] : [edit];
}

const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

function position(value: unknown): object {
  return { line: Number(field(value, 'line')) - 1, character: Number(field(value, 'offset')) - 1 };
}

const variable = 13;

/** Maps tsserver's kinds to the symbol kinds of LSP. */
const kinds: Readonly<Record<string, number>> = {
  module: 2,
  class: 5,
  'local class': 5,
  interface: 11,
  type: 5,
  enum: 10,
  'enum member': 22,
  const: 14,
  function: 12,
  'local function': 12,
  method: 6,
  getter: 7,
  setter: 7,
  property: 7,
  constructor: 9,
  alias: 13,
};
