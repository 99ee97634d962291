import type { Reply } from '../../../core/backend.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { comparePositions, type Range } from '../../../core/position.ts';
import type { Action, Question } from '../../../core/question.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import { readProblems } from '../convert/diagnostics.ts';
import { answeredList, readEntries } from '../convert/entry.ts';
import { decodeRange, encodeRange, readRawRange } from '../convert/spans.ts';
import type { Translation } from '../convert/translation.ts';
import type { Row } from './row.ts';

/** Code actions: asks every server of the file, each with its own problems. */
export const actionsRow: Row<'actions'> = {
  method: 'textDocument/codeAction',
  capability: 'codeActionProvider',
  union: (answers) => answers.flat(),
  withProblems: true,
  parts: { of: actionQuestions, join: joinActions },
  path: ({ path }) => path,
  params: actionParams,
  answer: async (raw, question, translation) =>
    readActions(raw, question, await actionParams(question, translation), translation),
  count: (actions) => actions.length,
};

type ActionQuestion = Question<'actions'>;

/** Without a range, asks for fixes at each own problem, since most servers fix only there; else file-wide. */
async function actionQuestions(
  question: ActionQuestion,
  translation: Translation,
): Promise<Reply<readonly ActionQuestion[]>> {
  if (question.range) return { answer: [question], doubts: [] };
  const { path, only = ['quickfix', 'source'] } = question;
  const { workspace, encoding, problems = [] } = translation;
  const document = await workspace.read(path);
  const [fixing, others] = [only.filter(isFixing), only.filter((kind) => !isFixing(kind))];
  const ranges = rangesOf(problems).map((raw) => decodeRange(document, encoding, raw));
  const asked = fixing.length === 0 ? [] : ranges.slice(0, limits.actions.problems);
  const whole = { start: { line: 0, character: 0 }, end: document.positionAt(document.text.length) };
  return {
    answer: [
      ...asked.map((range) => ({ ...question, range, only: fixing })),
      ...(others.length === 0 ? [] : [{ ...question, range: whole, only: others }]),
    ],
    doubts: fixing.length > 0 && ranges.length > asked.length ? [tooMany(ranges.length, translation)] : [],
  };
}

/** Parameters of `textDocument/codeAction`, with the problems in the range just as the server sent them. */
async function actionParams(
  { path, range, only }: ActionQuestion,
  { workspace, encoding, problems = [] }: Translation,
): Promise<Json> {
  const document = await workspace.read(path);
  const wanted = encodeRange(document, encoding, range ?? { start: origin, end: origin });
  const diagnostics = problems.filter((problem) => overlaps(readRawRange(object(problem).range), wanted));
  return {
    textDocument: { uri: workspace.uri(path) },
    range: wanted,
    context: { diagnostics, triggerKind: 1, ...(only ? { only } : {}) },
  };
}

const origin = { line: 0, character: 0 };

/** Joins actions with the same key that a server offers at several places. */
function joinActions(answers: readonly (readonly Action[])[]): readonly Action[] {
  const byKey = new Map<string, Action>();
  for (const action of answers.flat()) {
    const known = byKey.get(action.key);
    byKey.set(action.key, known ? { ...known, fixes: [...known.fixes, ...action.fixes] } : action);
  }
  return [...byKey.values()];
}

/** Returns whether a kind equals or is below a wanted one: `source.fixAll.eslint` is below `source`. */
function isOfKind(kind: string | undefined, wanted: readonly string[]): boolean {
  return wanted.some((one) => kind === one || kind?.startsWith(`${one}.`) === true);
}

function isFixing(kind: string): boolean {
  return isOfKind(kind, ['quickfix']);
}

/** Returns the distinct ranges of problems, worst first. */
function rangesOf(problems: readonly unknown[]): Range[] {
  const severity = (problem: unknown) => number(object(problem).severity) ?? 1;
  const ordered = [...problems].sort((a, b) => severity(a) - severity(b));
  const ranges = ordered.flatMap((problem) => readRawRange(object(problem).range) ?? []);
  return [
    ...new Map(ranges.map(({ start, end }) => [JSON.stringify([start, end]), { start, end }])).values(),
  ];
}

function overlaps(problem: Range | undefined, { start, end }: Range): boolean {
  return (
    problem !== undefined &&
    comparePositions(problem.start, end) <= 0 &&
    comparePositions(start, problem.end) <= 0
  );
}

function tooMany(count: number, { server }: Translation): Doubt {
  const detail = `Fixes are listed for ${limits.actions.problems} of ${count} places with problems of ${server}. Give a line for others.`;
  return { kind: 'capped', server, detail };
}

/** Reads the offered actions and drops kinds that were not requested, which some servers send. */
async function readActions(
  raw: unknown,
  { path, only }: Question<'actions'>,
  request: Json,
  translation: Translation,
): Promise<Action[]> {
  const { server, workspace, encoding, withholds } = translation;
  const document = await workspace.read(path);
  const entries = answeredList({ server, noun: 'actions' }, raw);
  const actions = readEntries({ server, noun: 'actions' }, entries, (sent) => {
    const { title, kind, isPreferred, disabled } = object(sent);
    if (typeof title !== 'string') return undefined;
    const why = text(object(disabled).reason);
    return {
      title,
      ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
      isPreferred: isPreferred === true,
      ...(disabled === undefined ? {} : { disabled: why ?? '' }),
      server,
      path,
      key: keyOf(sent, request),
      sent,
      request,
    };
  });
  const wanted = only ? actions.filter(({ kind }) => isOfKind(kind, only)) : actions;
  const speaker = { id: server };
  return Promise.all(
    wanted.map(async (action) => ({
      ...action,
      fixes: await readProblems(
        list(object(action.sent).diagnostics),
        document,
        encoding,
        speaker,
        withholds,
      ),
      seen: { ...(await textsOf(action.sent, translation)), [path]: document.hash },
    })),
  );
}

/**
 * Identifies an action. Actions that make the same edit are one, whatever command follows. `data` differs
 * from answer to answer, so it counts only if neither an edit nor a command is sent.
 */
export function keyOf(sent: unknown, { range }: Json): string {
  const { title, kind, edit, command, arguments: given, data } = object(sent);
  const what = edit ? [edit] : command ? [command, given] : [data, range];
  return JSON.stringify([title, kind, ...what]);
}

/** Returns the hashes of the current texts of the files that an edit sent with the action changes. */
async function textsOf(sent: unknown, { workspace }: Translation): Promise<Readonly<Record<string, string>>> {
  const { changes, documentChanges } = object(object(sent).edit);
  const uris = Array.isArray(documentChanges)
    ? documentChanges.flatMap((one) => text(object(object(one).textDocument).uri) ?? [])
    : Object.keys(object(changes));
  const inside = uris.map((uri) => workspace.fromUri(uri)).filter(({ standing }) => standing === 'inside');
  const hashes = inside.map(async ({ path }) => {
    const document = await workspace.read(path).catch(() => undefined);
    return document ? [[path, document.hash] as const] : [];
  });
  return Object.fromEntries((await Promise.all(hashes)).flat());
}
