import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/questions.ts';
import type { PathMention } from '../../source-text/path-mentions.ts';
import type { TargetPath } from '../../source-text/path-resolution.ts';
import type { ToolContext } from '../run/tool.ts';
import {
  type FileReference,
  type FileReferences,
  isGoal,
  type Mentioned,
  toReference,
} from './file-mentions.ts';

/** Asks servers where mentions of files lead, and takes the spelling for what they do not tell. */
export async function checkMentions(
  context: ToolContext,
  goals: readonly TargetPath[],
  mentioned: readonly Mentioned[],
  call: Call,
): Promise<FileReferences> {
  const doubts: Doubt[] = [];
  const references: FileReference[] = [];
  const worth = mentioned.filter(mayLead);
  const asked = new Set(worth.slice(0, limits.fileReferences.asked));
  if (worth.length > asked.size) doubts.push(tooMany(worth.length));
  // A few at a time: a server works through them one by one in any case.
  for (let at = 0; at < mentioned.length; at += limits.fileReferences.atOnce) {
    const some = mentioned.slice(at, at + limits.fileReferences.atOnce);
    const answers = await Promise.all(
      some.map((one) => (asked.has(one) ? leadOf(context, one, doubts, call) : [])),
    );
    cancelSignalOf(call).throwIfAborted();
    for (const [index, one] of some.entries()) {
      const certainty = judge(one, answers[index] ?? [], goals);
      if (certainty) references.push(toReference(one, certainty));
    }
  }
  return { references, doubts };
}

/** Whether a server may know where a mention leads: plain text leads nowhere, and most strings are no paths. */
function mayLead({ document, mention: { form, offset }, byText }: Mentioned): boolean {
  if (form === 'path') return false;
  if (form !== 'quoted' || byText !== undefined) return true;
  const { line, character } = document.positionAt(offset);
  return importing.test(document.line(line).slice(0, character));
}

const importing = /\b(?:from|import|require|export|use|include|mock)\b[^'"`]*['"`]$|^\s*(?:[\w.]+\s+)?"$/;

function tooMany(count: number): Doubt {
  const { asked } = limits.fileReferences;
  return { kind: 'capped', detail: `${count} places may name it, and servers were asked about ${asked}.` };
}

async function leadOf(
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

/** Nobody is there who could know better than the text. */
const unserved: ReadonlySet<ErrorCode> = new Set(['not_supported', 'not_installed']);

function judge(
  { mention, byText }: Mentioned,
  answer: readonly Span[],
  goals: readonly TargetPath[],
): FileReference['certainty'] | undefined {
  // A package of many files is named as a whole; none of them is, unless all are meant.
  const isMeant = answer.length > 0 && answer.every((span) => isGoal(goals, span.path));
  if (isMeant && (namesFiles(mention) || answer.every(isWholeFile))) return 'server';
  const leadsElsewhere = answer.length > 0 && !isMeant && !answer.some((span) => /\.d\.\w+$/.test(span.path));
  return byText === 'exact' || (byText === 'guessed' && !leadsElsewhere) ? 'text' : undefined;
}

/** A bare word may be the name of what is defined in a file. */
function namesFiles({ form, path }: PathMention): boolean {
  return form !== 'module' && (form !== 'quoted' || path.includes('/'));
}

/** Of a name that a module defines, the place is somewhere in it. */
function isWholeFile({ range: { start } }: Span): boolean {
  return start.line === 0 && start.character === 0;
}
