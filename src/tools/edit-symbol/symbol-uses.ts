import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { wordAt } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { findAnyUses } from '../navigation/find-uses.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { orderManySpans, toLocations } from '../show/location.ts';
import { plural } from '../show/render-location.ts';
import type { SymbolExtent } from './symbol-extent.ts';

/** Uses of a symbol, and why there may be more. */
interface Uses {
  readonly spans: readonly Span[];
  readonly doubts: readonly Doubt[];
}

/** Returns the uses of a symbol outside its own lines; other declarations of it, such as overloads, do not count. */
export async function usesOfSymbol(
  context: ToolContext,
  { name, selection }: OutlineSymbol,
  siblings: readonly OutlineSymbol[],
  { path, first, last }: SymbolExtent & Pick<Document, 'path'>,
  call: Call,
): Promise<Uses> {
  const place = { path, position: selection.start };
  const line = (await documentAt(context, path))?.line(selection.start.line) ?? '';
  const located = { place, name: wordAt(line, selection.start.character), doubts: [] };
  const reply: Promise<Reply<readonly Span[]>> = findAnyUses(context, located, call);
  const { answer, doubts } = await reply.catch((thrown: unknown) => unknownUses(thrown, call));
  const declared = siblings.filter((one) => one.name === name);
  const isOwn = ({ path: file, range: { start } }: Span) =>
    file === path &&
    ((start.line >= first && start.line <= last) || declared.some((one) => contains(one.selection, start)));
  return {
    spans: (await orderManySpans(answer)).filter((span) => span.standing === 'inside' && !isOwn(span)),
    doubts,
  };
}

/** Returns a doubt instead of failing: only a deletion has to know every use. */
function unknownUses(thrown: unknown, call: Call): Reply<readonly Span[]> {
  cancelSignalOf(call).throwIfAborted();
  const detail = asLspanError(thrown).message;
  return { answer: [], doubts: [{ kind: 'server_unavailable', detail }] };
}

/** Refuses to delete a symbol that is still used, or may be. */
export async function refuseIfUsed(
  context: ToolContext,
  name: string,
  { spans, doubts }: Uses,
  call: Call,
): Promise<void> {
  if (spans.length > 0) {
    const shown = await toLocations(context, spans.slice(0, limits.fileReferences.shown), call);
    const candidates = shown.map(({ file_path, line, character, text }) => ({
      file_path,
      line,
      character,
      text,
    }));
    throw new LspanError(
      'refused',
      `${JSON.stringify(name)} is still used in ${plural('place', spans.length)}; nothing was changed.`,
      { candidates, nextStep: 'Change those first, or delete it anyway with `force: true`.' },
    );
  }
  if (doubts.length === 0) return;
  const why = [...new Set(doubts.map(({ detail }) => detail))].join(' ');
  throw new LspanError('refused', `${JSON.stringify(name)} may still be used: ${why}`, {
    nextStep: 'Call again later, or delete it anyway with `force: true`.',
  });
}
