import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import type { PathMention } from '../../source-text/paths/path-mention.ts';
import type { TargetPath } from '../../source-text/paths/path-resolution.ts';
import type { ToolContext } from '../run/tool.ts';
import {
  type FileReference,
  type FileReferences,
  isTarget,
  type Mentioned,
  toReference,
} from './file-mentions.ts';

/** Asks servers which files mentions resolve to; if they do not know, the spelling decides. */
export async function checkMentions(
  context: ToolContext,
  targets: readonly TargetPath[],
  mentioned: readonly Mentioned[],
  call: Call,
): Promise<FileReferences> {
  const doubts: Doubt[] = [];
  const references: FileReference[] = [];
  const resolvable = mentioned.filter(isResolvable);
  const asked = new Set(resolvable.slice(0, limits.fileReferences.asked));
  if (resolvable.length > asked.size) doubts.push(tooMany(resolvable.length));
  // A few at a time, since a server handles them one by one anyway.
  for (let at = 0; at < mentioned.length; at += limits.fileReferences.atOnce) {
    const some = mentioned.slice(at, at + limits.fileReferences.atOnce);
    const answers = await Promise.all(
      some.map((one) => (asked.has(one) ? definitionsOf(context, one, doubts, call) : [])),
    );
    cancelSignalOf(call).throwIfAborted();
    for (const [index, one] of some.entries()) {
      const certainty = certaintyOf(one, answers[index] ?? [], targets);
      if (certainty) references.push(toReference(one, certainty));
    }
  }
  return { references, doubts };
}

/** Returns whether a server may resolve a mention: not in plain text, and most strings are not paths. */
function isResolvable({ document, mention: { form, offset }, byText }: Mentioned): boolean {
  if (form === 'path' || form === 'listed') return false;
  if (form !== 'quoted' || byText !== undefined) return true;
  const { line, character } = document.positionAt(offset);
  return importing.test(document.line(line).slice(0, character));
}

const importing = /\b(?:from|import|require|export|use|include|mock)\b[^'"`]*['"`]$|^\s*(?:[\w.]+\s+)?"$/;

function tooMany(count: number): Doubt {
  const { asked } = limits.fileReferences;
  return { kind: 'capped', detail: `${count} places may name it; servers checked only ${asked}.` };
}

async function definitionsOf(
  { backend }: ToolContext,
  { document, mention }: Mentioned,
  doubts: Doubt[],
  call: Call,
): Promise<readonly Span[]> {
  const place = { path: document.path, position: document.positionAt(mention.ask) };
  const reply = await backend.ask({ kind: 'definition', place }, call).catch((thrown: unknown) => {
    const { code, message } = asLspanError(thrown);
    if (!unserved.has(code)) doubts.push({ kind: 'server_unavailable', detail: message });
    return { answer: [], doubts: [] };
  });
  return reply.answer;
}

/** Errors that mean that no server can know better than the text. */
const unserved: ReadonlySet<ErrorCode> = new Set(['not_supported', 'not_installed']);

function certaintyOf(
  { mention, byText }: Mentioned,
  answer: readonly Span[],
  targets: readonly TargetPath[],
): FileReference['certainty'] | undefined {
  // A package of many files is named as a whole, so none of them is meant unless all are.
  const isMeant = answer.length > 0 && answer.every((span) => isTarget(targets, span.path));
  if (isMeant && (isFileName(mention) || answer.every(isWholeFile))) return 'server';
  const isOther = answer.length > 0 && !isMeant && !answer.some((span) => /\.d\.\w+$/.test(span.path));
  return byText === 'exact' || (byText === 'guessed' && !isOther) ? 'text' : undefined;
}

/** Returns whether a mention names a file; a bare word may be the name of something in it. */
function isFileName({ form, path }: PathMention): boolean {
  return form !== 'module' && (form !== 'quoted' || path.includes('/'));
}

/** Returns whether a definition is a whole file; that of a name is somewhere inside. */
function isWholeFile({ range: { start } }: Span): boolean {
  return start.line === 0 && start.character === 0;
}
