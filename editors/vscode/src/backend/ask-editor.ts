import type * as vscode from 'vscode';
import { LeftOutPlaces, type Translation } from '../../../../src/backends/lsp/convert/translation.ts';
import { inOneLine } from '../../../../src/backends/lsp/errors/refusals.ts';
import type { Row } from '../../../../src/backends/lsp/questions/row.ts';
import { rows } from '../../../../src/backends/lsp/questions/table.ts';
import type { Reply } from '../../../../src/core/backend.ts';
import { type Call, cancelSignalOf, timeLeft, until } from '../../../../src/core/call.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { AnswerOf, Question, QuestionKind } from '../../../../src/core/question.ts';
import type { Json } from '../../../../src/core/runtime/json.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';
import type { EditorDocuments } from './editor-documents.ts';
import { askProvider, isAskable, type ProviderContext } from './provider-table.ts';

/** The name of the backend in doubts and in the status. */
export const editorId = 'vscode';

/** What a request to VS Code needs. */
export interface EditorContext {
  readonly workspace: Workspace;
  readonly documents: EditorDocuments;
  /** Returns the problems of a document in the form of LSP, for questions about their fixes. */
  readonly problemsOf: (path: string, call: Call) => Promise<readonly unknown[]>;
}

/** Puts one question to VS Code as the table of questions says, and reads the answer by the same table. */
export async function askEditor<K extends QuestionKind>(
  context: EditorContext,
  question: Question<K>,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  if (!isAskable((row.variant?.(question) ?? row).method)) throw notAskable(question.kind);
  const path = row.path(question);
  const problems = row.withProblems && path ? await context.problemsOf(path, call) : [];
  const translation = { ...translationIn(context), problems };
  if (!row.parts) return request(context, question, translation, call);
  const { answer: parts, doubts } = await row.parts.of(question, translation);
  const replies = await Promise.all(parts.map((part) => request(context, part, translation, call)));
  return { answer: row.parts.join(replies.map(({ answer }) => answer)), doubts };
}

/** Returns how answers of VS Code are read: its columns are those of lspan. */
export function translationIn({ workspace }: Pick<EditorContext, 'workspace'>): Translation {
  return { server: editorId, workspace, encoding: 'utf-16', wordQuery: (query) => query };
}

async function request<K extends QuestionKind>(
  context: EditorContext,
  question: Question<K>,
  given: Translation,
  call: Call,
): Promise<Reply<AnswerOf<K>>> {
  const row: Row<K> = rows[question.kind];
  const { method: usual } = row.variant?.(question) ?? row;
  const translation = { ...given, leftOut: new LeftOutPlaces() };
  const provider = providerContext(context, question);
  const send = (params: Json, method = usual) =>
    until(askProvider(method, params, provider), cancelSignalOf(call)).catch((thrown: unknown) => {
      throw asRefusal(thrown, row);
    });
  const sender = {
    options: [{ prepareProvider: true }],
    optionsOf: () => [],
    end: performance.now() + timeLeft(call, limits.shares.levels),
    send,
  };
  call.report('Waiting for VS Code to answer');
  const raw = row.request
    ? await row.request(question, translation, sender)
    : await send(await row.params(question, translation));
  const answer = await row.answer(raw, question, translation, sender);
  if (row.refusal && row.count(answer, question) === 0) throw refused(row, 'no reason given');
  return { answer, doubts: translation.leftOut.doubts(translation) };
}

function providerContext<K extends QuestionKind>(
  { workspace, documents }: EditorContext,
  question: Question<K>,
): ProviderContext {
  const items: ProviderContext['items'] = [];
  const uriOf = (uri: string): vscode.Uri => documents.uriOf(workspace.fromUri(uri).path);
  const resolved = question.kind === 'completions' ? limits.completions.most : limits.actions.problems;
  return { uriOf, items, resolved };
}

function notAskable(kind: QuestionKind): LspanError {
  return new LspanError('not_supported', `VS Code does not let extensions ask about ${kind}.`, {
    nextStep: 'Use another tool, or let the user do it in VS Code.',
  });
}

/** A provider that refuses says why; any other failure of VS Code is not an empty answer either. */
function asRefusal<K extends QuestionKind>(thrown: unknown, row: Row<K>): unknown {
  if (thrown instanceof LspanError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  if (row.refusal) return refused(row, why);
  return new LspanError('server_unverified', `VS Code failed to answer: ${inOneLine(why)}.`, {
    cause: thrown,
    nextStep: 'Call again; if it fails again, search the text, and tell the user to look at the extension.',
  });
}

function refused<K extends QuestionKind>({ refusal }: Row<K>, why: string): LspanError {
  const { what = 'this', nextStep = '' } = refusal ?? {};
  return new LspanError('refused', `VS Code refuses ${what}: ${inOneLine(why)}.`, { nextStep });
}
