import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import type { Place, Span } from '../../core/question.ts';
import { checkCasts } from '../mentions/check-casts.ts';
import { followDeclarations, notSwapped } from '../mentions/follow-declarations.ts';
import { followImports, followUnresolved } from '../mentions/follow-imports.ts';
import { guessDoubts } from '../mentions/meaning/c-mentions.ts';
import { fragmentDoubts } from '../mentions/meaning/fragments.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import type { ToolContext } from '../run/tool.ts';
import { location, spanKey, toLocations, uniqueSpans } from '../show/location.ts';
import { renderLocations } from '../show/render-location.ts';
import { findElsewhere, orElsewhere, scope } from '../show/repositories.ts';
import { locate } from '../target/locate.ts';
import { noAnswerError } from '../target/no-answer.ts';
import { target } from '../target/target-fields.ts';
import { namesakesAt } from './namesakes.ts';

const kinds = ['definition', 'declaration', 'type'] as const;

/** Finds where a symbol is defined. */
export const findDefinition = defineTool({
  name: 'find_definition',
  title: 'Find definition',
  toolset: 'navigation',
  listed: true,
  description: 'Definition of a symbol or its type, by name or position.',
  input: z.strictObject({ ...target, kind: z.enum(kinds).default('definition'), scope, ...paging }),
  output: z.object({ definitions: z.array(location) }),
  effects: 'none',
  instead: 'get_hover shows the type and its origin; search_workspace_symbols finds definitions by name.',
  async answer(context, { kind, scope: asked, ...target }, call) {
    const named = { name: target.symbol_name, asked };
    const found = await orElsewhere(context, 'definition', named, call, locate(context, target, call));
    if ('reply' in found) return definitionsIn(context, found.reply);
    const { place, name, doubts, ...located } = found.located;
    await checkCasts(context, { name, path: place.path }, [place.path], call);
    const { reply, instead } = await askFor(context, kind, place, call);
    const adjusted = [located.adjusted, instead].filter((each) => each !== undefined).join('; ') || undefined;
    const followed = await follow(context, { kind, place }, reply.answer, call);
    const elsewhere = await findElsewhere(context, 'definition', { places: [place], asked }, call);
    const spans = uniqueSpans([...followed.answer, ...elsewhere.answer]);
    if (spans.length === 0) {
      const subject = { name, adjusted };
      const given = await withConditions(context, place, reply.doubts);
      // A server that is still loading may know it by the next call.
      if (given.length > 0) throw noAnswerError(nouns[kind], subject, given);
      const isUnknown = followed.doubts.some((doubt) => doubt.kind === 'unverified');
      const namesakes = isUnknown ? await namesakesAt(context, place, call) : [];
      throw noAnswerError(nouns[kind], subject, followed.doubts, namesakes);
    }
    const all = [...doubts, ...reply.doubts, ...followed.doubts, ...elsewhere.doubts];
    return { ...definitionsIn(context, { answer: spans, doubts: all }), adjusted };
  },
  render: ({ definitions }) => renderLocations(definitions),
  count: ({ definitions }) => definitions.length,
  cut: ({ definitions }, keep) => ({ definitions: definitions.slice(0, keep) }),
});

function definitionsIn(context: ToolContext, { answer, doubts }: Reply<readonly Span[]>) {
  const pages = paged(answer, spanKey, async (some, inner) => ({
    definitions: await toLocations(context, some, inner),
  }));
  return { pages, total: answer.length, doubts };
}

const nouns = { definition: 'definition', declaration: 'declaration', type: 'type definition' } as const;

/** Follows imports that the server could not, and declarations of C. */
async function follow(
  context: ToolContext,
  { kind, place }: { readonly kind: (typeof kinds)[number]; readonly place: Place },
  answer: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  if (answer.length === 0 && kind !== 'type') return followUnresolved(context, place, call);
  const { answer: imported, doubts } = await followImports(context, answer);
  if (kind === 'type') return { answer: imported, doubts };
  if (kind === 'declaration')
    return { answer: await notSwapped(context, 'declaration', place, imported), doubts };
  const defined = await followDeclarations(context, place, imported, call);
  const read = [
    ...(await fragmentDoubts(context, place.path, call)),
    ...(await guessDoubts(context, place, imported, call)),
  ];
  return { answer: defined.answer, doubts: [...doubts, ...defined.doubts, ...read] };
}

interface DefinitionReply {
  readonly reply: Reply<readonly Span[]>;
  /** The kind that was asked for instead. */
  readonly instead?: string;
}

/** Asks for the definition if no server supports declarations: in most languages they are the same. */
async function askFor(
  { backend }: ToolContext,
  kind: (typeof kinds)[number],
  place: Place,
  call: Call,
): Promise<DefinitionReply> {
  const answered = backend.ask({ kind, place }, call).then((reply): DefinitionReply => ({ reply }));
  if (kind !== 'declaration') return answered;
  return answered.catch(async (error: unknown) => {
    if (!(error instanceof LspanError) || error.code !== 'not_supported') throw error;
    const reply = await backend.ask({ kind: 'definition', place }, call);
    return { reply, instead: 'the definition, since no server here finds declarations' };
  });
}
