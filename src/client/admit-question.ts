import { LspanError } from '../core/errors.ts';
import type { Position, Range } from '../core/position.ts';
import type { FileMove, Place, Question, QuestionKind } from '../core/question.ts';
import type { PathCheck } from './admit-paths.ts';

/** Validates a question of a program, which may not be type-checked, and resolves its paths through the gate. */
export async function admitQuestion<K extends QuestionKind>(
  question: Question<K>,
  gate: PathCheck,
): Promise<Question<K>> {
  const kind: K | undefined = question?.kind;
  if (!Object.hasOwn(validators, kind)) throw unknownKind(kind);
  const validate: Validator<K> = validators[kind];
  return validate(question, gate);
}

type Validator<K extends QuestionKind> = (question: Question<K>, gate: PathCheck) => Promise<Question<K>>;

const validators: { readonly [K in QuestionKind]: Validator<K> } = {
  definition: atPlace,
  references: atPlace,
  declaration: atPlace,
  type: atPlace,
  implementations: atPlace,
  signatures: atPlace,
  hover: atPlace,
  calls: (question, gate) => {
    checkOneOf(question.direction, ['incoming', 'outgoing'], 'direction');
    checkInteger(question.depth, 'depth', 1);
    return atPlace(question, gate);
  },
  types: (question, gate) => {
    checkOneOf(question.direction, ['supertypes', 'subtypes'], 'direction');
    checkInteger(question.depth, 'depth', 1);
    return atPlace(question, gate);
  },
  completions: (question, gate) => {
    checkInteger(question.most, 'most', 1);
    return atPlace(question, gate);
  },
  rename: (question, gate) => {
    text(question.newName, 'newName');
    return atPlace(question, gate);
  },
  outline: inFile,
  hints: (question, gate) => {
    checkRange(question.range);
    return inFile(question, gate);
  },
  actions: (question, gate) => {
    if (question.range !== undefined) checkRange(question.range);
    if (question.only !== undefined) list(question.only, 'only').forEach((kind) => void text(kind, 'only'));
    return inFile(question, gate);
  },
  format: (question, gate) => {
    if (question.range !== undefined) checkRange(question.range);
    checkInteger(question.layout?.tabSize, 'layout.tabSize', 1);
    if (typeof question.layout.insertSpaces !== 'boolean')
      throw wrong('layout.insertSpaces', 'true or false');
    return inFile(question, gate);
  },
  symbols: async (question, gate) => {
    text(question.query, 'query');
    if (question.among === undefined) return question;
    const among = list(question.among, 'among').map((given) => gate.file(text(given, 'among')));
    return { ...question, among: await Promise.all(among) };
  },
  moves: async (question, gate) => {
    const moves = list(question.moves, 'moves').map((move) => readMove(move, gate));
    return { ...question, moves: await Promise.all(moves) };
  },
};

async function atPlace<Q extends { readonly place: Place }>(question: Q, gate: PathCheck): Promise<Q> {
  const given = text(question.place?.path, 'place.path');
  checkPosition(question.place.position, 'place.position');
  return { ...question, place: { path: await gate.file(given), position: question.place.position } };
}

async function inFile<Q extends { readonly path: string }>(question: Q, gate: PathCheck): Promise<Q> {
  return { ...question, path: await gate.file(text(question.path, 'path')) };
}

/** Ignores the given `isFolder`: the disk says whether a folder moves. */
async function readMove(move: FileMove, gate: PathCheck): Promise<FileMove> {
  const from = gate.entry(text(move?.from, 'moves.from'));
  const to = gate.entry(text(move.to, 'moves.to'));
  if (from.kind === 'missing') await gate.file(move.from);
  return { from: from.path, to: to.path, isFolder: from.kind === 'folder' };
}

function checkRange(given: Range): void {
  checkPosition(given?.start, 'range.start');
  checkPosition(given.end, 'range.end');
}

function checkPosition(given: Position, name: string): void {
  checkInteger(given?.line, `${name}.line`, 0);
  checkInteger(given.character, `${name}.character`, 0);
}

function checkInteger(given: unknown, name: string, least: number): void {
  if (!Number.isSafeInteger(given) || Number(given) < least)
    throw wrong(name, `an integer of at least ${least}`);
}

function text(given: unknown, name: string): string {
  if (typeof given !== 'string') throw wrong(name, 'a text');
  return given;
}

function list<T>(given: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(given)) throw wrong(name, 'a list');
  return given;
}

function checkOneOf(given: string, known: readonly string[], name: string): void {
  if (!known.includes(given)) throw wrong(name, known.join(' or '));
}

function wrong(name: string, expected: string): LspanError {
  return new LspanError('invalid_input', `${name} of the question is not ${expected}.`, {
    nextStep: 'Correct the question: `Vocabulary` in the types of lspan/lsp says what each kind needs.',
  });
}

function unknownKind(kind: unknown): LspanError {
  const known = Object.keys(validators).join(', ');
  return new LspanError('invalid_input', `There is no question of the kind ${JSON.stringify(kind)}.`, {
    nextStep: `Ask one of these kinds: ${known}.`,
  });
}
