import { limits } from '../../../core/limits.ts';
import { comparePositions, contains } from '../../../core/position.ts';
import type { Hint } from '../../../core/question.ts';
import { list, object, text } from '../../../core/runtime/json.ts';
import { answeredList, readEntries } from '../convert/entry.ts';
import { decodeRange, encodeRange, readRawRange } from '../convert/spans.ts';
import type { Row } from './row.ts';

/** Inlay hints in a range. */
export const hintsRow: Row<'hints'> = {
  method: 'textDocument/inlayHint',
  capability: 'inlayHintProvider',
  path: ({ path }) => path,
  params: async ({ path, range }, { workspace, encoding }) => ({
    textDocument: { uri: workspace.uri(path) },
    range: encodeRange(await workspace.read(path), encoding, range),
  }),
  answer: async (raw, { path, range }, { server, workspace, encoding }) => {
    const document = await workspace.read(path);
    const wanted = { server, noun: 'hints' };
    const hints = readEntries(wanted, answeredList(wanted, raw), (entry): Hint | undefined => {
      const { position, label, kind, paddingLeft, paddingRight } = object(entry);
      const where = readRawRange({ start: position, end: position });
      const shown = labelOf(label);
      if (where === undefined || shown === '') return undefined;
      return {
        position: decodeRange(document, encoding, where).start,
        label: shown,
        ...(kind === 1 ? { kind: 'type' } : kind === 2 ? { kind: 'parameter' } : {}),
        paddingLeft: paddingLeft === true,
        paddingRight: paddingRight === true,
      };
    });
    // Some servers answer for the whole file, whatever the range.
    return hints
      .filter(({ position }) => contains(range, position))
      .sort((a, b) => comparePositions(a.position, b.position))
      .slice(0, limits.results.total);
  },
  count: (hints) => hints.length,
};

/** Joins the parts of a label that is not a plain string. */
function labelOf(label: unknown): string {
  const parts =
    text(label) ??
    list(label)
      .map((part) => text(object(part).value) ?? '')
      .join('');
  return parts.replace(/\s+/g, ' ').trim().slice(0, limits.results.lineLength);
}
