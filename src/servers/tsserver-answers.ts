import { pathToFileURL } from 'node:url';
import { field } from './traits.ts';

/** Whether tsserver did what it was asked: a request that was cancelled, or that nobody was there to take, is answered too. */
export function isSuccess(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true;
}

/** What tsserver answered with, where that is a list. */
export function bodyOf(answer: unknown): readonly unknown[] {
  const body = field(answer, 'body');
  return Array.isArray(body) ? body : [];
}

/** The symbols that tsserver found in the form of the protocol; it counts lines and columns from 1. */
export function symbolsOf(answer: unknown): unknown {
  // What is no list is no answer, and told as such.
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

/** The edit of a refactoring in the form of the protocol. */
export function refactoringOf(answer: unknown): unknown {
  const edits = field(field(answer, 'body'), 'edits');
  if (!isSuccess(answer) || !Array.isArray(edits)) return 'no edit';
  return { documentChanges: edits.flatMap(fileEdits) };
}

/** What is for a file that is not there yet begins on line 0, which no other does. */
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

/** tsserver's names of kinds, as the protocol numbers them. */
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
