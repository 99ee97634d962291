import { z } from 'zod';
import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { toLineColumn } from '../../core/position.ts';
import type { FileProblems } from '../../core/problems.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import { diagnosticLine } from '../../tools/host/diagnostic-line.ts';
import { paged } from '../../tools/run/paging.ts';
import { paging } from '../../tools/run/paging-fields.ts';
import type { ToolContext } from '../../tools/run/tool.ts';
import { problemDoubts } from '../../tools/show/problem-doubts.ts';
import { inOwnWords, textTool } from './text-tool.ts';

const problem = z.object({
  file: z.string(),
  line: z.int(),
  character: z.int(),
  severity: z.enum(['error', 'warning', 'info', 'hint']),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional(),
});

type Shown = z.output<typeof problem>;

/** Lists the problems of all files that servers know of. */
export const diagnostics = textTool({
  name: 'lsp_diagnostics',
  title: 'Diagnostics',
  toolset: 'quality',
  description: 'Retrieve current diagnostics for all known files',
  input: z.strictObject(paging),
  output: z.object({
    diagnostics: z.array(problem),
    /** True if every file that has a server was checked, so that a file that is not listed has no problems. */
    whole: z.boolean(),
  }),
  async answer(context, _, call) {
    const asked = await checkAsked(context, call);
    const reply = await context.backend.workspaceDiagnostics(call);
    const listed = new Set(reply.answer.files.map(({ path }) => path));
    const files = [...reply.answer.files, ...asked.answer.filter(({ path }) => !listed.has(path))];
    const all = uniqueDoubts([...asked.doubts, ...reply.doubts, ...problemDoubts(context, files)]);
    const doubts = all.map((doubt) => ({ ...doubt, detail: inOwnWords(doubt.detail) }));
    const problems = await problemsByFile(context, files);
    const whole = reply.answer.whole && doubts.length === 0;
    const pages = paged(problems, JSON.stringify, async (some) => ({ diagnostics: [...some], whole }));
    return { pages, total: problems.length, doubts };
  },
  render: ({ diagnostics, whole }, total) => {
    if (total === 0) return whole ? 'No diagnostics' : 'No diagnostics so far';
    const files = groupBy(diagnostics, ({ file }) => file);
    return [...files].flatMap(([file, own]) => [`${file}:`, ...own.map(renderProblem)]).join('\n');
  },
  count: ({ diagnostics }) => diagnostics.length,
  cut: ({ diagnostics, whole }, keep) => ({ diagnostics: diagnostics.slice(0, keep), whole }),
});

/** Checks the files that the caller has asked about, and that still exist. */
async function checkAsked(context: ToolContext, call: Call): Promise<Reply<readonly FileProblems[]>> {
  const { askedFiles, workspace, backend } = context;
  const isHere = (path: string) =>
    workspace.rootOf(path) !== undefined && workspace.readNow(path) !== undefined;
  const paths = askedFiles.paths.filter(isHere);
  if (paths.length === 0) return { answer: [], doubts: [] };
  return backend.diagnostics(paths, call).catch((thrown: unknown) => {
    const { code, message } = asLspanError(thrown);
    // The question about the workspace tells of servers that are missing.
    const isTold = code === 'not_supported' || code === 'not_installed';
    return { answer: [], doubts: isTold ? [] : [{ kind: 'server_unavailable', detail: message }] };
  });
}

/** Lists problems by the name of their file, then in their order. */
async function problemsByFile({ workspace }: ToolContext, files: readonly FileProblems[]): Promise<Shown[]> {
  const named = files.map(({ path, problems }) => ({ file: workspace.show(path), problems }));
  const shown: Shown[] = [];
  for (const { file, problems } of named.sort((a, b) => (a.file < b.file ? -1 : 1))) {
    await eachInSlices(problems, ({ range, severity, message, code, source }) => {
      const origin = { ...(code ? { code } : {}), ...(source ? { source } : {}) };
      const named = severity === 'information' ? 'info' : severity;
      shown.push({ file, ...toLineColumn(range.start), severity: named, message, ...origin });
    });
  }
  return shown;
}

function renderProblem({ character: column, severity, ...rest }: Shown): string {
  const named = severity === 'info' ? 'information' : severity;
  return `  ${diagnosticLine({ ...rest, severity: named, column })}`;
}
