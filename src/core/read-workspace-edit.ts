import type { LspanError } from './errors.ts';
import type { Position, PositionEncoding } from './position.ts';
import type { IfThere, Proposal, ProposedEdit, ProposedStep } from './proposal.ts';
import { isRecord } from './runtime/json.ts';

/**
 * Reads a `WorkspaceEdit` in any of its forms. Throws an error if it cannot be applied as intended; `fault`
 * makes the error from the end of a sentence that says what is wrong.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceEdit
 */
export function readWorkspaceEdit(raw: unknown, encoding: PositionEncoding, fault: Fault): Proposal {
  const { documentChanges, changes, changeAnnotations } = object(raw, 'is not an object', fault);
  const annotations = new Annotations(changeAnnotations, fault);
  const reading: Reading = { encoding, annotations, fault };
  const steps = present(documentChanges)
    ? list(documentChanges, 'has `documentChanges` that is not a list', fault).map((one) =>
        readStep(one, reading),
      )
    : readChanges(changes, reading);
  return { steps, confirm: annotations.confirm };
}

interface Reading {
  readonly encoding: PositionEncoding;
  readonly annotations: Annotations;
  readonly fault: Fault;
}

function readChanges(changes: unknown, reading: Reading): ProposedStep[] {
  const { encoding, fault } = reading;
  const byUri = present(changes) ? object(changes, 'has `changes` that is not an object', fault) : {};
  return Object.entries(byUri).map(([uri, edits]) => {
    return { kind: 'edit', uri, encoding, edits: readEdits(edits, reading) };
  });
}

/** Makes the error for a faulty edit. */
export type Fault = (wrong: string) => LspanError;

type Fields = Readonly<Record<string, unknown>>;

/** The annotations of an edit, and the labels of those used that need confirmation. */
class Annotations {
  readonly #known: Fields;
  readonly #fault: Fault;
  readonly #confirm = new Map<string, string>();

  constructor(raw: unknown, fault: Fault) {
    this.#known = present(raw) ? object(raw, 'has `changeAnnotations` that is not an object', fault) : {};
    this.#fault = fault;
  }

  get confirm(): readonly string[] {
    return [...this.#confirm.values()];
  }

  note(id: unknown): void {
    if (!present(id)) return;
    const known = typeof id === 'string' && Object.hasOwn(this.#known, id);
    if (!known) throw this.#fault('refers to a missing change annotation');
    const { label, needsConfirmation } = object(
      this.#known[id],
      'has a broken change annotation',
      this.#fault,
    );
    if (needsConfirmation === true) this.#confirm.set(id, typeof label === 'string' ? label : id);
  }
}

function readStep(raw: unknown, reading: Reading): ProposedStep {
  const { annotations, fault } = reading;
  const step = object(raw, 'has a change that is not an object', fault);
  annotations.note(step.annotationId);
  const read = step.kind === undefined ? readTextStep : operations.get(step.kind);
  if (!read) throw fault('has a change of unknown kind');
  return read(step, reading);
}

type ReadStep = (step: Fields, reading: Reading) => ProposedStep;

const readTextStep: ReadStep = ({ textDocument, edits }, reading) => {
  const { encoding, fault } = reading;
  const { uri, version } = object(textDocument, 'has a change without a document', fault);
  const known = typeof version === 'number' ? { version } : {};
  return { kind: 'edit', uri: text(uri, fault), encoding, ...known, edits: readEdits(edits, reading) };
};

const operations: ReadonlyMap<unknown, ReadStep> = new Map<unknown, ReadStep>([
  [
    'create',
    ({ uri, options }, { fault }) => {
      return { kind: 'create', uri: text(uri, fault), text: '', ifThere: ifThere(options, fault) };
    },
  ],
  [
    'rename',
    ({ oldUri, newUri, options }, { fault }) => {
      const [from, to] = [text(oldUri, fault), text(newUri, fault)];
      return { kind: 'rename', from, to, ifThere: ifThere(options, fault) };
    },
  ],
  [
    'delete',
    ({ uri, options }, { fault }) => {
      const { recursive, ignoreIfNotExists } = optionsOf(options, fault);
      const ifMissing = ignoreIfNotExists === true ? 'ignore' : 'refuse';
      return { kind: 'delete', uri: text(uri, fault), recursive: recursive === true, ifMissing };
    },
  ],
]);

/** Overwriting takes precedence over ignoring, as LSP specifies. */
function ifThere(options: unknown, fault: Fault): IfThere {
  const { overwrite, ignoreIfExists } = optionsOf(options, fault);
  if (overwrite === true) return 'overwrite';
  return ignoreIfExists === true ? 'ignore' : 'refuse';
}

function optionsOf(options: unknown, fault: Fault): Fields {
  return present(options) ? object(options, 'has options that are not an object', fault) : {};
}

function readEdits(raw: unknown, reading: Omit<Reading, 'encoding'>): ProposedEdit[] {
  return list(raw, 'has edits that are not a list', reading.fault).map((one) => readEdit(one, reading));
}

/** Reads a list of `TextEdit`. */
export function readTextEdits(raw: unknown, fault: Fault): readonly ProposedEdit[] {
  return present(raw) ? readEdits(raw, { annotations: new Annotations(undefined, fault), fault }) : [];
}

function readEdit(raw: unknown, { annotations, fault }: Omit<Reading, 'encoding'>): ProposedEdit {
  const { range, newText, annotationId, snippet, insertTextFormat } = object(
    raw,
    'has an edit that is not an object',
    fault,
  );
  const isTemplate = present(snippet) || insertTextFormat === 2;
  if (isTemplate) throw fault('is a snippet with placeholders, which lspan cannot fill in');
  annotations.note(annotationId);
  const { start, end } = object(range, 'has an edit without a range', fault);
  if (typeof newText !== 'string') throw fault('has an edit without a text');
  return { range: { start: readPosition(start, fault), end: readPosition(end, fault) }, newText };
}

function readPosition(raw: unknown, fault: Fault): Position {
  const { line, character } = object(raw, 'has a position that is not an object', fault);
  const isWhole = isCount(line) && isCount(character);
  if (!isWhole) throw fault('has a position that is not made of integers from 0 on');
  return { line, character };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function text(value: unknown, fault: Fault): string {
  if (typeof value === 'string' && value !== '') return value;
  throw fault('has no file URI');
}

function list(value: unknown, wrong: string, fault: Fault): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw fault(wrong);
}

function object(value: unknown, wrong: string, fault: Fault): Fields {
  if (isRecord(value)) return Object.fromEntries(Object.entries(value));
  throw fault(wrong);
}
