import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { toLineColumn } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import { clampedMark } from '../../tools/show/render-location.ts';
import { locate } from '../../tools/target/locate.ts';
import { filePath, type Located } from '../../tools/target/target-fields.ts';

/** The path of a file, as it is given. */
export const file = filePath.describe('File path (relative to workspace root)');

/** The fields of a question about a position. */
export const placeFields = {
  file,
  line: z.int().describe('Line number (1-based)'),
  character: z.int().describe('Column number (1-based)'),
};

/** A place as answers contain it. Its fields are named like those of inputs, so that it can be asked about. */
export const place = z.object({
  file: z.string(),
  line: z.int(),
  character: z.int(),
  external: z.enum(['library', 'outside']).optional(),
  /** Present if the server named a position that the text does not have: this is the nearest one. */
  clamped: z.literal(true).optional(),
});

type Place = z.output<typeof place>;

/** Finds what a position means, which may be a little off; its file is checked by the next `lsp_diagnostics`. */
export async function locateAt(
  context: ToolContext,
  { file, line, character }: { readonly file: string; readonly line: number; readonly character: number },
  call: Call,
): Promise<Located> {
  const located = await locate(context, { file_path: file, line, character }, call);
  context.askedFiles.note(located.place.path);
  return located;
}

/** Returns where spans begin, in order and without duplicates. */
export async function toPlaces(context: ToolContext, spans: readonly Span[]): Promise<readonly Place[]> {
  const places = new Map<string, Place>();
  await eachInSlices(spans, (span) => {
    const one = toPlace(context, span);
    const shown = renderPlace(one);
    if (!places.has(shown)) places.set(shown, one);
  });
  return [...places.values()];
}

/** Returns where a span begins. */
export function toPlace({ workspace }: ToolContext, { path, range, standing, clamped }: Span): Place {
  return {
    file: workspace.show(path),
    ...toLineColumn(range.start),
    ...(standing === 'inside' ? {} : { external: standing }),
    ...(clamped ? { clamped } : {}),
  };
}

/** Renders `rel/path:line:col`. */
export function renderPlace({ file, line, character, clamped }: Place): string {
  return `${file}:${line}:${character}${clamped ? ` ${clampedMark}` : ''}`;
}
