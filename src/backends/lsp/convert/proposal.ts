import { LspanError } from '../../../core/errors.ts';
import {
  decodeColumn,
  encodeColumn,
  type Position,
  type PositionEncoding,
  type Range,
} from '../../../core/position.ts';
import type { Proposal, ProposedEdit, ProposedStep } from '../../../core/proposal.ts';
import type { Rename, Span } from '../../../core/question.ts';
import { type Fault, readTextEdits, readWorkspaceEdit } from '../../../core/read-workspace-edit.ts';
import { isNotebook } from '../../../source-text/notebooks.ts';
import { type Word, wordsOf } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { readSpans } from './answers.ts';
import { withoutMark } from './spans.ts';
import type { Translation } from './translation.ts';

/** Reads a WorkspaceEdit; null is an empty one. */
export function readProposal(raw: unknown, { server, encoding }: Translation): Proposal {
  return readWorkspaceEdit(raw ?? {}, encoding, faultOf(server));
}

/** Reads the changes of a rename; positions refer to the texts that the server was sent. */
export async function readRename(
  raw: unknown,
  translation: Translation,
  /** Adds what the answer leaves out. */
  complete: (proposal: Proposal) => Promise<Proposal>,
): Promise<Rename | undefined> {
  const isNothing = raw === null || raw === undefined || (Array.isArray(raw) && raw.length === 0);
  if (isNothing) return undefined;
  const proposed = ownSteps(readProposal(raw, translation), translation);
  const read = await withSeen(await complete(proposed), translation);
  const steps = await Promise.all(read.steps.map((step) => narrowed(step, translation)));
  const proposal = { ...read, steps: steps.filter((step) => step.kind !== 'edit' || step.edits.length > 0) };
  return { proposal, spans: await spansOf(proposal, translation), missed: [] };
}

/**
 * Leaves out edits of other worktrees, since a change of one never changes another, though a server takes both for one
 * program; of files that the server makes from the sources; and of notebooks, whose cells have lines of their own.
 */
export function ownSteps(proposal: Proposal, { workspace, leftOut, isGenerated }: Translation): Proposal {
  const steps = proposal.steps.filter((step) => {
    if (step.kind !== 'edit') return true;
    const { path, standing } = workspace.fromUri(step.uri);
    if (isNotebook(path) || (standing !== 'inside' && isGenerated?.(path))) return false;
    const worktree = workspace.worktreeIn(path);
    if (worktree !== undefined) leftOut?.add(worktree, step.edits.length);
    return worktree === undefined;
  });
  return { ...proposal, steps };
}

/** Reads formatting edits. */
export async function readFormatting(
  raw: unknown,
  path: string,
  translation: Translation,
): Promise<Proposal> {
  const { server, encoding, workspace } = translation;
  const edits = readTextEdits(raw, faultOf(server));
  const step = { kind: 'edit' as const, uri: workspace.uri(path), encoding, edits };
  return withSeen({ steps: edits.length === 0 ? [] : [step], confirm: [] }, translation);
}

/** Joins several proposals into one. */
export function joinProposals(proposals: readonly Proposal[]): Proposal {
  return {
    steps: proposals.flatMap(({ steps }) => steps),
    confirm: proposals.flatMap(({ confirm }) => confirm),
  };
}

function faultOf(server: string): Fault {
  return (wrong) =>
    new LspanError('server_unverified', `${server} proposed an edit that ${wrong}; nothing was changed.`, {
      nextStep: "Make the change another way, and report this to the server's authors.",
    });
}

/** Records which texts the positions refer to: those sent to the server, or else the proposal is outdated. */
export async function withSeen(proposal: Proposal, translation: Translation): Promise<Proposal> {
  const touched = new Set<string>();
  const steps = proposal.steps.map(async (step): Promise<ProposedStep> => {
    const uris = step.kind === 'rename' ? [step.from, step.to] : [step.uri];
    const isFirst = !uris.some((uri) => touched.has(uri));
    for (const uri of uris) touched.add(uri);
    // After an earlier step, the positions do not refer to the text of the file.
    return step.kind === 'edit' && isFirst ? seen(step, translation) : step;
  });
  return { ...proposal, steps: await Promise.all(steps) };
}

async function seen(
  { version, ...step }: Extract<ProposedStep, { kind: 'edit' }>,
  { server, workspace, told, columnsBeyondLineEnd, countsMark }: Translation,
): Promise<ProposedStep> {
  const { path, standing } = workspace.fromUri(step.uri);
  const document = standing === 'inside' ? await workspace.read(path).catch(() => undefined) : undefined;
  if (!document) return step;
  // Some servers send a version of a file that is not open; those that track none send 0, never ours.
  const sent = version ? told?.version(path) : undefined;
  const isOld = told?.isOld(path) === true || (sent !== undefined && sent !== version);
  if (isOld) throw outdated(server, workspace.show(path));
  const meant = columnsBeyondLineEnd ? overBreaks(step, document) : step;
  const isMarked = document.hasBom && countsMark?.(path);
  const edits = meant.edits.map((edit) => (isMarked ? { ...edit, range: withoutMark(edit.range) } : edit));
  return { ...meant, edits, seen: document.hash };
}

function outdated(server: string, file: string): LspanError {
  return new LspanError('stale', `${file} changed while ${server} was computing the edit.`, {
    nextStep: 'Call again.',
  });
}

async function narrowed(step: ProposedStep, { workspace, encoding }: Translation): Promise<ProposedStep> {
  if (step.kind !== 'edit' || step.seen === undefined) return step;
  const document = await workspace.read(workspace.fromUri(step.uri).path);
  return { ...step, edits: step.edits.flatMap((edit) => narrowEdit(edit, document, encoding)) };
}

async function spansOf({ steps }: Proposal, translation: Translation): Promise<readonly Span[]> {
  const { workspace, encoding } = translation;
  const locations: { readonly uri: string; readonly range: Range }[] = [];
  for (const step of steps) {
    if (step.kind !== 'edit') continue;
    const { uri, edits } = step;
    const isRead = edits.some((edit) => besideColon(edit) !== undefined);
    const document = isRead
      ? await workspace.read(workspace.fromUri(uri).path).catch(() => undefined)
      : undefined;
    for (const edit of edits)
      locations.push({ uri, range: document ? renamedBy(edit, document, encoding) : edit.range });
  }
  const { countsMark: _done, ...rest } = translation;
  return readSpans(locations, rest);
}

/** On which side of an edit the word is that it writes out, as `{ total }` becomes `{ total: sum }` or `{ sum: total }`. */
function besideColon({ range: { start, end }, newText }: ProposedEdit): 'before' | 'after' | undefined {
  if (start.line !== end.line || start.character !== end.character) return undefined;
  if (/^\s*:(?!:)/.test(newText)) return 'before';
  return /(?<!:):\s*$/.test(newText) ? 'after' : undefined;
}

/** Returns the range of the word that an edit renames: of the one beside it, if it leaves it there. */
function renamedBy(edit: ProposedEdit, document: Document, encoding: PositionEncoding): Range {
  const side = besideColon(edit);
  const { line, character } = edit.range.start;
  const text = document.line(line);
  const column = decodeColumn(text, character, encoding);
  const ends = ({ start, text: word }: Word) => (side === 'before' ? start + word.length : start);
  const word = side && wordsOf(text).find((one) => ends(one) === column);
  if (!word) return edit.range;
  const at = (one: number) => ({ line, character: encodeColumn(text, one, encoding) });
  return { start: at(word.start), end: at(word.start + word.text.length) };
}

type EditStep = Extract<ProposedStep, { kind: 'edit' }>;

/** Moves positions that a server counts past a line break to the start of the next line. */
function overBreaks(step: EditStep, document: Document): EditStep {
  const move = (position: Position) => beyondBreak(document, position, step.encoding);
  const edits = step.edits.map(({ range: { start, end }, newText }) => ({
    range: { start: move(start), end: move(end) },
    newText,
  }));
  return { ...step, edits };
}

function beyondBreak(document: Document, position: Position, encoding: PositionEncoding): Position {
  const { line, character } = position;
  const text = document.line(line);
  const over = character - encodeColumn(text, text.length, encoding);
  const isLast = line >= document.lineCount - 1;
  return over < 1 || over > longestBreak || isLast ? position : { line: line + 1, character: 0 };
}

/** A carriage return and a line feed. */
const longestBreak = 2;

/**
 * Splits an edit that replaces a whole text, as some servers rename, into edits of the changed words: only
 * these are renamed, and the rest keeps its line endings. Returns the edit itself if more than words changed.
 */
function narrowEdit(
  edit: ProposedEdit,
  document: Document,
  encoding: PositionEncoding,
): readonly ProposedEdit[] {
  const { start, end } = edit.range;
  const last = document.lineCount - 1;
  const isToEnd = end.line > last || (end.line === last && end.character >= document.line(last).length);
  const isWhole = start.line === 0 && start.character === 0 && isToEnd && last > 0;
  const lines = edit.newText.split(/\r\n?|\n/);
  if (!isWhole || lines.length !== document.lineCount) return [edit];
  const changed = lines.map((line, number) => changedWords(document.line(number), line));
  if (changed.includes(undefined)) return [edit];
  return changed.flatMap((words = [], line) => {
    const at = (column: number) => ({ line, character: encodeColumn(document.line(line), column, encoding) });
    return words.map(({ from: { start: column, text }, newText }) => {
      return { range: { start: at(column), end: at(column + text.length) }, newText };
    });
  });
}

/** Returns the changed words of a line; `undefined` if more than words differ. */
function changedWords(before: string, after: string): readonly Changed[] | undefined {
  if (before === after) return [];
  const [old, young] = [wordsOf(before), wordsOf(after)];
  const isAlike = old.length === young.length && between(before, old) === between(after, young);
  if (!isAlike) return undefined;
  const pairs = old.map((from, index) => ({ from, newText: young[index]?.text ?? '' }));
  return pairs.filter(({ from, newText }) => from.text !== newText);
}

interface Changed {
  readonly from: Word;
  readonly newText: string;
}

function between(line: string, words: readonly Word[]): string {
  const ends = [0, ...words.map(({ start, text }) => start + text.length)];
  return [...words.map(({ start }, index) => line.slice(ends[index], start)), line.slice(ends.at(-1))].join(
    '\0',
  );
}
