import { LspanError } from '../core/errors.ts';
import type { Position, Range } from '../core/positions.ts';
import type { FileMove, Place, Question, QuestionKind } from '../core/questions.ts';
import type { PathCheck } from './admit-paths.ts';

/** Reads a question of a program, which need not be typed: its shape is checked, and its paths go through the gate. */
export async function admitQuestion<K extends QuestionKind>(
  question: Question<K>,
  gate: PathCheck,
): Promise<Question<K>> {
  const kind: K | undefined = question?.kind;
  if (!Object.hasOwn(readers, kind)) throw unknownKind(kind);
  const read: Reader<K> = readers[kind];
  return read(question, gate);
}

/** The question with everything in it as the inside of lspan trusts it to be. */
type Reader<K extends QuestionKind> = (question: Question<K>, gate: PathCheck) => Promise<Question<K>>;

const readers: { readonly [K in QuestionKind]: Reader<K> } = {
  definition: atPlace,
  references: atPlace,
  declaration: atPlace,
  type: atPlace,
  implementations: atPlace,
  signatures: atPlace,
  hover: atPlace,
  calls: (question, gate) => {
    oneOf(question.direction, ['incoming', 'outgoing'], 'direction');
    whole(question.depth, 'depth', 1);
    return atPlace(question, gate);
  },
  types: (question, gate) => {
    oneOf(question.direction, ['supertypes', 'subtypes'], 'direction');
    whole(question.depth, 'depth', 1);
    return atPlace(question, gate);
  },
  completions: (question, gate) => {
    whole(question.most, 'most', 1);
    return atPlace(question, gate);
  },
  rename: (question, gate) => {
    text(question.newName, 'newName');
    return atPlace(question, gate);
  },
  outline: inFile,
  hints: (question, gate) => {
    range(question.range);
    return inFile(question, gate);
  },
  actions: (question, gate) => {
    if (question.range !== undefined) range(question.range);
    if (question.only !== undefined) list(question.only, 'only').forEach((kind) => void text(kind, 'only'));
    return inFile(question, gate);
  },
  format: (question, gate) => {
    if (question.range !== undefined) range(question.range);
    whole(question.layout?.tabSize, 'layout.tabSize', 1);
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
  position(question.place.position, 'place.position');
  return { ...question, place: { path: await gate.file(given), position: question.place.position } };
}

async function inFile<Q extends { readonly path: string }>(question: Q, gate: PathCheck): Promise<Q> {
  return { ...question, path: await gate.file(text(question.path, 'path')) };
}

/** Whether a folder moves is told by the disk. */
async function readMove(move: FileMove, gate: PathCheck): Promise<FileMove> {
  const from = gate.entry(text(move?.from, 'moves.from'));
  const to = gate.entry(text(move.to, 'moves.to'));
  if (from.kind === 'missing') await gate.file(move.from);
  return { from: from.path, to: to.path, isFolder: from.kind === 'folder' };
}

function range(given: Range): void {
  position(given?.start, 'range.start');
  position(given.end, 'range.end');
}

function position(given: Position, name: string): void {
  whole(given?.line, `${name}.line`, 0);
  whole(given.character, `${name}.character`, 0);
}

function whole(given: unknown, name: string, least: number): void {
  if (!Number.isSafeInteger(given) || Number(given) < least)
    throw wrong(name, `a whole number from ${least} on`);
}

function text(given: unknown, name: string): string {
  if (typeof given !== 'string') throw wrong(name, 'a text');
  return given;
}

function list<T>(given: readonly T[], name: string): readonly T[] {
  if (!Array.isArray(given)) throw wrong(name, 'a list');
  return given;
}

function oneOf(given: string, known: readonly string[], name: string): void {
  if (!known.includes(given)) throw wrong(name, known.join(' or '));
}

function wrong(name: string, expected: string): LspanError {
  return new LspanError('invalid_input', `${name} of the question is not ${expected}.`, {
    nextStep: 'Correct the question: `Vocabulary` in the types of lspan/lsp says what each kind needs.',
  });
}

function unknownKind(kind: unknown): LspanError {
  const known = Object.keys(readers).join(', ');
  return new LspanError('invalid_input', `There is no question of the kind ${JSON.stringify(kind)}.`, {
    nextStep: `Ask one of these kinds: ${known}.`,
  });
}
