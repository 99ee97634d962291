import type { Action, Question } from '../../../core/questions.ts';
import { type Json, list, object, text } from '../../../core/runtime/json.ts';
import { readProblems } from '../convert/diagnostics.ts';
import { answeredList, readEntries } from '../convert/entries.ts';
import type { Translation } from '../convert/translation.ts';
import { isOfKind } from './action-questions.ts';

/** Reads what a server offers to do; some send kinds that nobody asked for. */
export async function readActions(
  raw: unknown,
  { path, only }: Question<'actions'>,
  request: Json,
  translation: Translation,
): Promise<Action[]> {
  const { server, workspace, encoding } = translation;
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
  return Promise.all(
    wanted.map(async (action) => ({
      ...action,
      fixes: await readProblems(list(object(action.sent).diagnostics), document, encoding, server),
      seen: { ...(await textsOf(action.sent, translation)), [path]: document.hash },
    })),
  );
}

/**
 * Actions that make the same edit are one, whatever follows it; and what a server keeps for itself differs from answer to
 * answer, so that it tells one from another only where nothing else is sent.
 */
export function keyOf(sent: unknown, { range }: Json): string {
  const { title, kind, edit, command, arguments: given, data } = object(sent);
  const what = edit ? [edit] : command ? [command, given] : [data, range];
  return JSON.stringify([title, kind, ...what]);
}

/** The texts that an edit which was sent at once is about: they are those of now. */
async function textsOf(sent: unknown, { workspace }: Translation): Promise<Readonly<Record<string, string>>> {
  const { changes, documentChanges } = object(object(sent).edit);
  const uris = Array.isArray(documentChanges)
    ? documentChanges.flatMap((one) => text(object(object(one).textDocument).uri) ?? [])
    : Object.keys(object(changes));
  const inside = uris.map((uri) => workspace.admit(uri)).filter(({ standing }) => standing === 'inside');
  const hashes = inside.map(async ({ path }) => {
    const document = await workspace.read(path).catch(() => undefined);
    return document ? [[path, document.hash] as const] : [];
  });
  return Object.fromEntries((await Promise.all(hashes)).flat());
}
