import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { Hint } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { defineTool } from '../run/define-tool.ts';
import { paged } from '../run/paging.ts';
import { paging } from '../run/paging-fields.ts';
import { plural } from '../show/render-location.ts';
import { unverifiedError } from '../target/no-answer.ts';
import { readRange } from '../target/read-range.ts';
import { filePath } from '../target/target-fields.ts';

const hintedLine = z.object({
  line: z.int(),
  code: z.string(),
  hints: z.array(
    z.object({ character: z.int(), label: z.string(), kind: z.enum(['type', 'parameter']).optional() }),
  ),
});

type HintedLine = z.output<typeof hintedLine>;

/** Shows code as an editor would, with inferred types and names of parameters. */
export const getInlayHints = defineTool({
  name: 'get_inlay_hints',
  title: 'Inlay hints',
  toolset: 'intelligence',
  listed: false,
  description:
    'Code with inferred types and parameter names inserted: the lines with such hints, of a file or from `line` to `end_line`.',
  input: z.strictObject({
    file_path: filePath,
    line: z.int().optional().describe('1-based'),
    end_line: z.int().optional(),
    ...paging,
  }),
  output: z.object({ file_path: z.string(), hints: z.array(hintedLine) }),
  effects: 'none',
  instead: 'get_hover shows the type at a position.',
  async answer(context, { file_path, line, end_line }, call) {
    const path = await context.workspace.resolve(file_path);
    const document = await context.workspace.read(path);
    const whole = { start: { line: 0, character: 0 }, end: document.positionAt(document.text.length) };
    const range = readRange(document, { line, end_line }) ?? whole;
    const { answer, doubts } = await context.backend.ask({ kind: 'hints', path, range }, call);
    if (answer.length === 0 && doubts.length > 0) throw unverifiedError('No hints were found', doubts);
    const lines = groupBy(answer, ({ position }) => position.line);
    const hints = [...lines].map(([index, own]) => toHintedLine(document, index, own));
    const file = context.workspace.show(path);
    const pages = paged(hints, JSON.stringify, async (some) => ({ file_path: file, hints: [...some] }));
    return { pages, total: hints.length, doubts };
  },
  render: ({ file_path, hints }, total) =>
    total === 0
      ? `${file_path}: the server has no hints for these lines.`
      : [
          `${file_path}: ${plural('line', total)} with hints in ‹›`,
          ...hints.map(({ line, code }) => `${line}  ${code}`),
        ].join('\n'),
  count: ({ hints }) => hints.length,
  cut: ({ hints, ...rest }, keep) => ({ ...rest, hints: hints.slice(0, keep) }),
});

function toHintedLine(document: Document, index: number, own: readonly Hint[]): HintedLine {
  const text = document.line(index);
  let [code, written] = ['', 0];
  for (const { position, label } of own) {
    code += `${text.slice(written, position.character)}‹${label}›`;
    written = position.character;
  }
  return {
    line: index + 1,
    code: cut(code + text.slice(written)),
    hints: own.map(({ position, label, kind }) => ({
      character: position.character + 1,
      label,
      ...(kind ? { kind } : {}),
    })),
  };
}

/** Cuts a line, which hints may have made very long. */
function cut(code: string): string {
  const most = limits.results.lineLength * 2;
  const shown = code.trim();
  return shown.length > most ? `${shown.slice(0, most)}…` : shown;
}
