import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { Layout } from '../../core/questions.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { previewOrApply, previewOrApplyPlan } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import type { Result } from '../run/tool.ts';
import { wrongRange } from '../target/position-errors.ts';
import { readRange } from '../target/read-range.ts';
import { filePath } from '../target/target-fields.ts';

const options = z.strictObject({
  tab_size: z.int().min(1).max(limits.input.tabSize).optional(),
  insert_spaces: z.boolean().optional(),
  trim_trailing_whitespace: z.boolean().optional(),
  insert_final_newline: z.boolean().optional(),
  trim_final_newlines: z.boolean().optional(),
});

const output = change.extend({ already_formatted: z.literal(true).optional() });

/** Lays a document out as its server does. */
export const formatDocument = defineTool({
  name: 'format_document',
  title: 'Format a document',
  toolset: 'refactor',
  listed: false,
  description:
    'Formats a file, or some lines of it, by its language server. `options` count where the project has no configuration of its own; indentation is taken from the file.',
  input: z.strictObject({
    file_path: filePath.optional(),
    line: z.int().optional().describe('1-based'),
    end_line: z.int().optional(),
    options: options.optional(),
    plan_id: z.string().min(1).max(limits.input.id).optional(),
    ...changeFields,
    dry_run: z.boolean().optional(),
  }),
  output,
  effects: 'files',
  async answer(
    context,
    { file_path, line, end_line, options: given = {}, plan_id, dry_run, check, allow_protected },
    call,
  ): Promise<Result<z.output<typeof output>>> {
    if (plan_id !== undefined)
      return previewOrApplyPlan(
        context,
        context.edits.find(plan_id),
        { dry_run: dry_run ?? false, check },
        call,
      );
    if (file_path === undefined) throw wrongRange('`file_path` is missing.');
    const path = await context.workspace.resolve(file_path);
    const document = await context.workspace.read(path);
    const range = readRange(document, { line, end_line });
    const layout = layoutOf(document, given);
    const { answer, doubts } = await context.backend.ask(
      { kind: 'format', path, layout, ...(range ? { range } : {}) },
      call,
    );
    const title = `format ${context.workspace.show(path)}`;
    const offered = await previewOrApply(
      context,
      answer,
      { title, dry_run: dry_run ?? true, check, allow_protected, dependents: [] },
      call,
    );
    const isDone = !offered.data.plan && !offered.data.edit && !offered.data.step;
    const data: z.output<typeof output> = isDone ? { already_formatted: true } : offered.data;
    return { ...offered, data, doubts: [...doubts, ...offered.doubts] };
  },
  render: ({ already_formatted, ...changed }) =>
    already_formatted ? 'Already formatted: nothing has to change.' : renderChange(changed),
  shorten: shortenChange,
});

function layoutOf(document: Document, given: z.output<typeof options>): Layout {
  const { tabSize, insertSpaces } = detectIndentation(document);
  const wishes = {
    trimTrailingWhitespace: given.trim_trailing_whitespace,
    insertFinalNewline: given.insert_final_newline,
    trimFinalNewlines: given.trim_final_newlines,
  };
  const named = Object.entries(wishes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    tabSize: given.tab_size ?? tabSize,
    insertSpaces: given.insert_spaces ?? insertSpaces,
    ...Object.fromEntries(named),
  };
}

/** How the lines of a text are indented. */
interface Indentation {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Tells from a text itself how it is indented, as editors do: tabs or spaces, whichever more lines begin with, and the commonest step. */
export function detectIndentation(document: Document): Indentation {
  const steps = new Map<number, number>();
  let [tabs, spaces, before] = [0, 0, 0];
  for (let index = 0; index < Math.min(document.lineCount, limits.format.lines); index += 1) {
    const [, indent = '', rest] = /^([ \t]*)(.?)/.exec(document.line(index)) ?? [];
    if (rest === '') continue;
    // The lines of a comment are indented by one more.
    if (rest === '*') continue;
    if (indent.includes('\t')) tabs += 1;
    else if (indent !== '') spaces += 1;
    const step = Math.abs(indent.length - before);
    if (!indent.includes('\t') && step > 1 && step <= limits.format.step)
      steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indent.includes('\t') ? 0 : indent.length;
  }
  const [commonest] = [...steps].sort(([a, often], [b, other]) => other - often || a - b);
  return { tabSize: tabs > spaces ? usual : (commonest?.[0] ?? usual), insertSpaces: tabs <= spaces };
}

const usual = 4;
