import type { Hover, Place } from '../../../core/question.ts';
import { readHover, readSpans } from '../convert/answers.ts';
import { positionParams, type Translation } from '../convert/translation.ts';
import type { RequestSender, Row } from './row.ts';

/** Hover: the declaration of a symbol, and its documentation. */
export const hoverRow: Row<'hover'> = {
  method: 'textDocument/hover',
  capability: 'hoverProvider',
  path: ({ place }) => place.path,
  params: ({ place }, translation) => positionParams(place, translation),
  answer: async (raw, { place, textless }, translation, line) => {
    const hover = await readHover(raw, place.path, translation);
    // Where a symbol is defined only matters for the text.
    if (textless) return hover && { ...hover, text: '' };
    return hover && translation.isHidden ? showable(hover, place, translation, line) : hover;
  },
  count: (hover) => (hover === undefined ? 0 : 1),
};

/** Returns a hover without its text if the symbol is defined in a file whose text is not shown. */
async function showable(
  hover: Hover,
  place: Place,
  translation: Translation,
  line: RequestSender,
): Promise<Hover> {
  const params = await positionParams(place, translation);
  const spans = await readSpans(await line.send(params, 'textDocument/definition'), translation);
  const hidden = spans.find((span) => translation.isHidden?.(span));
  if (hidden === undefined) return hover;
  const where = translation.workspace.show(hidden.path);
  return { ...hover, text: `It is defined in ${where}, outside the workspace: the text is withheld.` };
}
