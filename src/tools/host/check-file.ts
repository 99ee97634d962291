import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { type Doubt, mayPass } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import type { FileProblems, Problem } from '../../core/problems.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { documentOf } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import type { CheckedFile } from './host-api.ts';
import { hostProblems } from './host-problems.ts';

/** The problems of a file: of a text that is only given for this question, where there is one. It need not exist then. */
export async function checkFile(
  context: ToolContext,
  given: string,
  text: string | undefined,
  call: Call,
): Promise<CheckedFile> {
  const { workspace } = context;
  const watched = await workspace.refresh(call);
  const path = await pathOf(context, given, text !== undefined);
  const reply = await ask(context, path, text, call);
  const own = reply.answer.filter((one) => one.path === path);
  const doubts = [...watched, ...reply.doubts, ...problemDoubts(context, own)];
  const file = workspace.show(path);
  const problems = await hostProblems(file, { problems: own.flatMap(ofThisText) });
  if (problems.length === 0) expectChecked(file, own, doubts);
  return { file, problems, doubts };
}

/** The real path of a file; of one that is yet to come, if it may be. */
async function pathOf({ workspace }: ToolContext, given: string, mayBeNew: boolean): Promise<string> {
  return workspace.resolve(given).catch((thrown: unknown) => {
    if (!mayBeNew || asLspanError(thrown).code !== 'not_found') throw thrown;
    const { path, standing } = workspace.fromUri(workspace.uri(workspace.entry(given).path));
    if (standing !== 'inside') throw thrown;
    return path;
  });
}

async function ask(
  { backend, workspace }: ToolContext,
  path: string,
  text: string | undefined,
  call: Call,
): Promise<Reply<readonly FileProblems[]>> {
  if (text === undefined) return backend.diagnostics([path], call);
  // Mostly it is what was just written, and then nobody need wait for the servers to be had alone.
  const present = await documentAt({ workspace }, path);
  if (present && present.text === documentOf(path, text).text) {
    const reply = await backend.diagnostics([path], call);
    if ((await documentAt({ workspace }, path)) === present) return reply;
  }
  const texts = new Map([[path, text]]);
  return backend.overlay(texts, call, (overlaid) => overlaid.diagnostics([path], call));
}

/** What a server last said of an older text may be over by now, and stands elsewhere. */
function ofThisText({ state, unheard, problems }: FileProblems): readonly Problem[] {
  return state === 'stale' ? problems.filter(({ server }) => !unheard.includes(server)) : problems;
}

/** Nobody may read silence as "no problems", where more is to be heard: by asking again, or once something is put right. */
function expectChecked(file: string, own: readonly FileProblems[], doubts: readonly Doubt[]): void {
  const passing = doubts.filter(mayPass);
  const hindrances = passing.length > 0 ? passing : hindrancesOf(own, doubts);
  if (hindrances.length === 0) return;
  const why = new Set(hindrances.map(({ detail }) => detail.replace(callAgain, '')));
  const message = [`No problems of ${quotePath(file)} are known, but it may have some.`, ...why].join(' ');
  const nextStep =
    passing.length > 0 ? 'Check it again in a moment.' : 'Put that right, then check it again.';
  throw new LspanError('server_unverified', message, { nextStep, retryable: passing.length > 0 });
}

/** What keeps all servers of a file from checking it. That one never speaks of problems is nothing to be put right. */
function hindrancesOf(own: readonly FileProblems[], doubts: readonly Doubt[]): readonly Doubt[] {
  if (own.every(({ state }) => state === 'unavailable')) return doubts;
  const [{ heard = [], unheard = [] } = {}] = own;
  const isHindered = ({ kind, server = '' }: Doubt) =>
    kind === 'project_not_loaded' && unheard.includes(server);
  return heard.length > 0 ? [] : doubts.filter(isHindered);
}

/** What the next step says anyway. */
const callAgain = / Call again[^.]*\.$/;
