import type { Call } from '../../core/call.ts';
import { compareSpans } from '../../core/compare-spans.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Span } from '../../core/question.ts';
import { indirectHeirs } from '../../source-text/members/indirect-heirs.ts';
import { wordAround } from '../../source-text/words.ts';
import { rangeAt } from '../../workspace/texts/document.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { plural } from '../show/render-location.ts';

/** Returns a doubt if classes may inherit a class, or one that is listed, by what a call makes of it: servers list none of them. */
export async function indirectHeirDoubts(
  context: ToolContext,
  { place, listed }: { readonly place: Place; readonly listed: readonly Span[] },
  call: Call,
): Promise<readonly Doubt[]> {
  const asked: Span = {
    path: place.path,
    range: { start: place.position, end: place.position },
    standing: 'inside',
  };
  const names = new Set(await classNamesAt(context, [asked, ...listed]));
  const lines = new Set(listed.map(({ path, range }) => `${path}\0${range.start.line}`));
  const found: Span[] = [];
  for (const one of [...names].slice(0, limits.candidates.asked)) {
    const files = (await context.workspace.mentioning(one, call)) ?? [];
    for (const path of files.slice(0, limits.mentions.files)) {
      const document = await documentAt(context, path);
      for (const { use, start } of indirectHeirs(path, document?.text ?? '', one)) {
        if (!document || lines.has(`${path}\0${document.positionAt(start).line}`)) continue;
        found.push({ path, range: rangeAt(document, use, one.length), standing: 'inside' });
      }
    }
  }
  if (found.length === 0) return [];
  const detail = `${plural('place', found.length)} may make a subclass of it: ${namePlaces(context.workspace, found.sort(compareSpans))}`;
  return [{ kind: 'unverified', detail }];
}

async function classNamesAt(context: ToolContext, spans: readonly Span[]): Promise<readonly string[]> {
  const own = spans.filter(({ standing }) => standing === 'inside').slice(0, limits.candidates.asked);
  const names = await Promise.all(
    own.map(async ({ path, range: { start } }) => {
      const document = await documentAt(context, path);
      const line = document?.line(start.line) ?? '';
      const word = wordAround(line, start.character);
      return word && /\bclass\s+$/.test(line.slice(0, word.start)) ? word.text : undefined;
    }),
  );
  return names.filter((one) => one !== undefined);
}
