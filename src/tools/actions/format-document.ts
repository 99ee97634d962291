import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { Layout } from '../../core/question.ts';
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

/** Formats a document with its language server. */
export const formatDocument = defineTool({
  name: 'format_document',
  title: 'Format a document',
  toolset: 'refactor',
  listed: false,
  description:
    'Formats a file, or some lines of it, with its language server. `options` apply if the project has no configuration; indentation comes from the file.',
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
    if (plan_id !== undefined) {
      const applying = { dry_run: dry_run ?? false, check };
      return previewOrApplyPlan(context, context.edits.find(plan_id), applying, call);
    }
    if (file_path === undefined) throw wrongRange('`file_path` is missing.');
    const path = await context.workspace.resolve(file_path);
    const document = await context.workspace.read(path);
    const range = readRange(document, { line, end_line });
    const layout = toLayout(document, given);
    const question = { kind: 'format', path, layout, ...(range ? { range } : {}) } as const;
    const { answer, doubts } = await context.backend.ask(question, call);
    const title = `format ${context.workspace.show(path)}`;
    const request = { title, dry_run: dry_run ?? true, check, allow_protected, dependents: 'none' as const };
    const result = await previewOrApply(context, answer, request, call);
    const isDone = !result.data.plan && !result.data.edit && !result.data.step;
    const data: z.output<typeof output> = isDone ? { already_formatted: true } : result.data;
    return { ...result, data, doubts: [...doubts, ...result.doubts] };
  },
  render: ({ already_formatted, ...changed }) =>
    already_formatted ? 'Already formatted: nothing to change.' : renderChange(changed),
  shorten: shortenChange,
});

function toLayout(document: Document, given: z.output<typeof options>): Layout {
  const { tabSize, insertSpaces } = detectIndentation(document);
  const optional = {
    trimTrailingWhitespace: given.trim_trailing_whitespace,
    insertFinalNewline: given.insert_final_newline,
    trimFinalNewlines: given.trim_final_newlines,
  };
  return {
    tabSize: given.tab_size ?? tabSize,
    insertSpaces: given.insert_spaces ?? insertSpaces,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

interface Indentation {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** Detects indentation as editors do: tabs or spaces, whichever begins more lines, and the most frequent step. */
export function detectIndentation(document: Document): Indentation {
  const steps = new Map<number, number>();
  let [tabs, spaces, before] = [0, 0, 0];
  for (let index = 0; index < Math.min(document.lineCount, limits.format.lines); index += 1) {
    const [, indent = '', rest] = /^([ \t]*)(.?)/.exec(document.line(index)) ?? [];
    if (rest === '') continue;
    // The lines of a block comment are indented by one more.
    if (rest === '*') continue;
    if (indent.includes('\t')) tabs += 1;
    else if (indent !== '') spaces += 1;
    const step = Math.abs(indent.length - before);
    if (!indent.includes('\t') && step > 1 && step <= limits.format.step)
      steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indent.includes('\t') ? 0 : indent.length;
  }
  const [commonest] = [...steps].sort(([a, often], [b, other]) => other - often || a - b);
  const tabSize = tabs > spaces ? defaultSize : (commonest?.[0] ?? defaultSize);
  return { tabSize, insertSpaces: tabs <= spaces };
}

const defaultSize = 4;
