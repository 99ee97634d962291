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

/** Returns the problems of a file, or of a text that is given for this question only; then the file need not exist. */
export async function checkFile(
  context: ToolContext,
  given: string,
  text: string | undefined,
  call: Call,
): Promise<CheckedFile> {
  const { workspace } = context;
  const watchDoubts = await workspace.refresh(call);
  const path = await pathOf(context, given, text !== undefined);
  const reply = await ask(context, path, text, call);
  const own = reply.answer.filter((one) => one.path === path);
  const doubts = [...watchDoubts, ...reply.doubts, ...problemDoubts(context, own)];
  const file = workspace.show(path);
  const problems = await hostProblems(file, { problems: own.flatMap(currentProblems) });
  if (problems.length === 0) expectChecked(file, own, doubts);
  return { file, problems, doubts };
}

/** Returns the real path of a file, or of one that does not exist yet if it may be new. */
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
  // Mostly the text is what was just written; then the servers are not needed exclusively.
  const present = await documentAt({ workspace }, path);
  if (present && present.text === documentOf(path, text).text) {
    const reply = await backend.diagnostics([path], call);
    if ((await documentAt({ workspace }, path)) === present) return reply;
  }
  const texts = new Map([[path, text]]);
  return backend.overlay(texts, call, (overlaid) => overlaid.diagnostics([path], call));
}

/** Drops what a server last said about an older text: it may be over by now, or elsewhere. */
function currentProblems({ state, unheard, problems }: FileProblems): readonly Problem[] {
  return state === 'stale' ? problems.filter(({ server }) => !unheard.includes(server)) : problems;
}

/** Throws if asking again, or putting something right, may reveal problems: silence must not be read as "no problems". */
function expectChecked(file: string, own: readonly FileProblems[], doubts: readonly Doubt[]): void {
  const passing = doubts.filter(mayPass);
  const obstacles = passing.length > 0 ? passing : obstaclesIn(own, doubts);
  if (obstacles.length === 0) return;
  const why = new Set(obstacles.map(({ detail }) => detail.replace(callAgain, '')));
  const message = [`No problems of ${quotePath(file)} are known, but it may have some.`, ...why].join(' ');
  const nextStep = passing.length > 0 ? 'Check it again in a moment.' : 'Fix that, then check it again.';
  throw new LspanError('server_unverified', message, { nextStep, retryable: passing.length > 0 });
}

/** Returns what keeps all servers of a file from checking it. If one never reports problems, nothing is to be put right. */
function obstaclesIn(own: readonly FileProblems[], doubts: readonly Doubt[]): readonly Doubt[] {
  if (own.every(({ state }) => state === 'unavailable')) return doubts;
  const [{ heard = [], unheard = [] } = {}] = own;
  const isObstacle = ({ kind, server = '' }: Doubt) =>
    kind === 'project_not_loaded' && unheard.includes(server);
  return heard.length > 0 ? [] : doubts.filter(isObstacle);
}

/** The advice that the next step gives anyway. */
const callAgain = / Call again[^.]*\.$/;
