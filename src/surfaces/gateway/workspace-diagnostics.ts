import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { FileProblems } from '../../core/problems.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { paged } from '../../tools/run/paging.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import { problemDoubts } from '../../tools/show/problem-doubts.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { toDiagnostics } from './diagnostics.ts';
import { cursor, diagnostic, filtered, pageOf } from './shapes.ts';

const file = z.strictObject({
  uri: z.string(),
  /** `fresh`: every server has checked the current text. */
  state: z.enum(['fresh', 'pending', 'stale', 'unavailable']),
  diagnostics: z.array(diagnostic),
});

type Item = z.output<typeof file>;

/** Lists the problems of the workspace, by file. */
export const workspaceDiagnostics = contractTool({
  name: 'vscode.lsp.diagnostics.workspace',
  title: 'Diagnostics of the workspace',
  toolset: 'quality',
  description:
    'The problems of the workspace by file, in pages. A file that is not listed is clean only if `whole` is true; otherwise it was not checked.',
  input: z.strictObject({ cursor }),
  output: z.strictObject({
    items: pageOf(file),
    /** True if every file that has a server was checked. */
    whole: z.boolean(),
    /** The number of files that are listed; one with many problems takes several items. */
    files: z.int().min(0).max(limits.gateway.number),
    filtered,
  }),
  noun: 'item',
  list: 'items',
  async answer(context, _, call) {
    const reply = await context.backend.workspaceDiagnostics(call);
    const { files: all, whole } = reply.answer;
    // Each file has a state of its own: one that has not been checked yet does not hide the others.
    const doubts = [...checkDoubts(reply.doubts), ...problemDoubts(context, all)];
    const own = all.filter(({ path }) => context.workspace.isNamedByUser(path));
    const items = await toItems(context, own);
    const filtered = all.length - own.length;
    const head = { whole: whole && doubts.length === 0, files: own.length, filtered };
    const pages = paged(items, JSON.stringify, async (some) => ({ items: [...some], ...head }));
    return { pages, total: items.length, doubts };
  },
});

/** Orders files by URI. Problems beyond one item continue in the next, so that a page can hold everything. */
async function toItems({ workspace }: ToolContext, files: readonly FileProblems[]): Promise<Item[]> {
  const named = files.map(({ path, state, problems }) => ({ uri: workspace.uri(path), state, problems }));
  const items: Item[] = [];
  for (const { uri, state, problems } of named.sort((a, b) => compareTexts(a.uri, b.uri))) {
    const diagnostics = await toDiagnostics(problems);
    const most = limits.gateway.problemsOfItem;
    for (let from = 0; from === 0 || from < diagnostics.length; from += most)
      items.push({ uri, state, diagnostics: diagnostics.slice(from, from + most) });
  }
  return items;
}
