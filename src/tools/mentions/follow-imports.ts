import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Span } from '../../core/question.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { isQuotedType } from '../../source-text/names/python-names.ts';
import { isReserved } from '../../source-text/reserved-words.ts';
import { type Word, wordAround } from '../../source-text/words.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { followPath } from './follow-path.ts';
import { ImportFollower } from './import-follower.ts';
import { quotedMembers } from './meaning/quoted-key.ts';
import { namePlaces } from './mentions.ts';

/**
 * Replaces definitions that are mere imports, since the server could not follow them, by what they lead to in the sources
 * of the workspace, and puts the source before a definition in a file that is built from it.
 */
export async function followImports(
  context: ToolContext,
  definitions: readonly Span[],
): Promise<Reply<readonly Span[]>> {
  const follower = new ImportFollower(context);
  const answer: Span[] = [];
  const doubts: Doubt[] = [];
  for (const definition of definitions) {
    const found = definition.standing === 'inside' ? await follower.follow(definition) : undefined;
    const sources = found?.sources ?? [];
    answer.push(...sources);
    if (sources.length === 0 || found?.isBuilt) answer.push(definition);
    if (found && sources.length === 0 && !found.isBuilt) doubts.push(notFollowed(found.module));
  }
  return { answer, doubts };
}

/**
 * Finds by the imports of its file, or by the type before a string, what a name is for which the server knows no
 * definition, or says that it is not known.
 */
export async function followUnresolved(
  context: ToolContext,
  { path, position }: Place,
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const document = await documentAt(context, path);
  const { line, character } = position;
  const word = document && wordAround(document.line(line), character);
  if (!document || word === undefined) return { answer: [], doubts: [] };
  const start = document.offsetAt({ line, character: word.start });
  const follower = new ImportFollower(context);
  const range = rangeAt(document, start, word.text.length);
  const quoted = await quotedMembers({ context, follower, call }, { path, range });
  if (quoted && quoted.members.length > 0) return { answer: quoted.members.flat(), doubts: [] };
  const named = await followPath(context, follower, document, { start, text: word.text }, call);
  if (named.length > 0) return { answer: named, doubts: [] };
  if (!isName(document, { start, text: word.text })) return { answer: [], doubts: [] };
  const followed = await follower.followUse(document, start);
  const detail = `The server cannot resolve ${JSON.stringify(word.text)} here: its import, or the type before it, is not known.`;
  const answer = followed?.sources ?? [];
  return { answer, doubts: answer.length > 0 ? [] : [{ kind: 'unverified', detail }] };
}

/** True if the word at an offset may name something: keywords are names of members too, and types may be in strings. */
function isName({ path, text }: Document, { start, text: word }: Word): boolean {
  const isMember = /\.\s*$/.test(text.slice(Math.max(0, start - limits.mentions.ahead), start));
  if (!isMember && isReserved(path, word)) return false;
  const [kind] = lexicalAt(path, text, [start]);
  return kind === 'code' || isQuotedType(path, text, { start, end: start + word.length });
}

function notFollowed(module: string): Doubt {
  const detail = `${JSON.stringify(module)} cannot be resolved: this is the import, not the definition.`;
  return { kind: 'unverified', detail };
}

/** Returns a doubt if the server knows nothing of the name at a place: it may be in code that is not compiled here. */
export async function unresolvedDoubts(
  context: ToolContext,
  place: Place,
  call: Call,
): Promise<readonly Doubt[]> {
  const defined = await context.backend.ask({ kind: 'definition', place }, call).catch(() => undefined);
  cancelSignalOf(call).throwIfAborted();
  if (!defined || defined.answer.length > 0) return [];
  const { answer, doubts } = await followUnresolved(context, place, call);
  if (answer.length === 0) return doubts;
  const detail = `The server cannot resolve it here. Ask where it is defined: ${namePlaces(context.workspace, answer)}`;
  return [{ kind: 'unverified', detail }];
}
