import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import type { FileProblems } from '../../core/problems.ts';
import { paged } from '../../tools/run/paging.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import { problemDoubts } from '../../tools/show/problem-doubts.ts';
import { compareTexts } from './canonical.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { toDiagnostics } from './diagnostics.ts';
import { cursor, diagnostic, filtered, pageOf } from './shapes.ts';

const file = z.strictObject({
  uri: z.string(),
  /** `fresh`: every server has checked the present text. */
  state: z.enum(['fresh', 'pending', 'stale', 'unavailable']),
  diagnostics: z.array(diagnostic),
});

type Item = z.output<typeof file>;

/** The problems of the workspace, by file. */
export const workspaceDiagnostics = contractTool({
  name: 'vscode.lsp.diagnostics.workspace',
  title: 'Diagnostics of the workspace',
  toolset: 'quality',
  description:
    'The problems of the workspace by file, by pages. A file that is not listed is clean only if `whole` is true; otherwise it was not checked.',
  input: z.strictObject({ cursor }),
  output: z.strictObject({
    items: pageOf(file),
    /** Every file that has a server was checked. */
    whole: z.boolean(),
    /** How many files are listed; one with many problems takes several items. */
    files: z.int().min(0).max(limits.gateway.number),
    filtered,
  }),
  noun: 'item',
  list: 'items',
  async answer(context, _, call) {
    const reply = await context.backend.workspaceDiagnostics(call);
    const { files: told, whole } = reply.answer;
    // Each file tells its own state: one that nobody has checked yet hides nothing of the others.
    const doubts = [...checkDoubts(reply.doubts), ...problemDoubts(context, told)];
    const own = told.filter(({ path }) => context.workspace.isNamedByUser(path));
    const items = await itemsOf(context, own);
    const beside = {
      whole: whole && doubts.length === 0,
      files: own.length,
      filtered: told.length - own.length,
    };
    const pages = paged(items, JSON.stringify, async (some) => ({ items: [...some], ...beside }));
    return { pages, total: items.length, doubts };
  },
});

/** By URI. What is too much for one item goes on in the next, so that there is a page for everything. */
async function itemsOf({ workspace }: ToolContext, files: readonly FileProblems[]): Promise<Item[]> {
  const told = files.map(({ path, state, problems }) => ({ uri: workspace.uri(path), state, problems }));
  const items: Item[] = [];
  for (const { uri, state, problems } of told.sort((a, b) => compareTexts(a.uri, b.uri))) {
    const diagnostics = await toDiagnostics(problems);
    const most = limits.gateway.problemsOfItem;
    for (let from = 0; from === 0 || from < diagnostics.length; from += most)
      items.push({ uri, state, diagnostics: diagnostics.slice(from, from + most) });
  }
  return items;
}
