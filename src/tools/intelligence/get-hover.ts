import { z } from 'zod';
import { withConditions } from '../mentions/not-compiled.ts';
import { cutBytes } from '../run/cut-text.ts';
import { defineTool } from '../run/define-tool.ts';
import { fenced } from '../run/fenced.ts';
import { maxTokens } from '../run/paging-fields.ts';
import { shownRange } from '../show/location.ts';
import { locate } from '../target/locate.ts';
import { noAnswerError } from '../target/no-answer.ts';
import { withoutName } from '../target/position-errors.ts';
import { target } from '../target/target-fields.ts';

const hover = z.object({
  file_path: z.string(),
  line: z.int(),
  character: z.int(),
  end_line: z.int(),
  end_character: z.int(),
  text: z.string(),
});

/** Shows the type and documentation of a symbol. */
export const getHover = defineTool({
  name: 'get_hover',
  title: 'Type and documentation',
  toolset: 'intelligence',
  listed: true,
  description: 'The type, signature and documentation of a symbol.',
  input: z.strictObject({ ...target, max_tokens: maxTokens }),
  output: z.object({ hover }),
  effects: 'none',
  async answer(context, input, call) {
    // Some servers tell the type of a function without a name.
    const located = await locate(context, input, call, { takesNameless: true });
    const { place, name, nameless, adjusted, doubts } = located;
    const reply = await context.backend.ask({ kind: 'hover', place }, call);
    if (reply.answer === undefined && reply.doubts.length === 0 && nameless) throw withoutName(nameless);
    if (reply.answer === undefined)
      throw noAnswerError(
        'hover information',
        { name, adjusted },
        await withConditions(context, place, reply.doubts),
      );
    const range = shownRange(reply.answer.range ?? { start: place.position, end: place.position });
    const shown = { file_path: context.workspace.show(place.path), ...range, text: reply.answer.text };
    return { data: { hover: shown }, adjusted, doubts: [...doubts, ...reply.doubts] };
  },
  render: ({ hover: { file_path, line, character, text } }) =>
    `${file_path}:${line}:${character}\n${fenced(text)}`,
  prose: ['text'],
  shorten: ({ hover: whole }, bytes) => ({ hover: { ...whole, text: cutBytes(whole.text, bytes) } }),
});
