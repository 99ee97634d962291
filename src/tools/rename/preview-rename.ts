import { z } from 'zod';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Rename, Span } from '../../core/questions.ts';
import { hasOddNames, isReserved } from '../../source-text/reserved-words.ts';
import { previewOrApply, previewOrApplyPlan } from '../change/change.ts';
import { type ChangeData, change, changeFields } from '../change/change-data.ts';
import { withTimeShare } from '../change/diagnostics-delta.ts';
import { renderChangeWith } from '../change/render-change.ts';
import type { Result, ToolContext } from '../run/tool.ts';
import {
  type FoundMentions,
  findMentions,
  type Mentions,
  mentions,
  renderMentions,
  searchMentions,
  showMentions,
  unexplainedMentionDoubts,
} from '../show/mentions.ts';
import { locate } from '../target/locate.ts';
import { noAnswerError } from '../target/no-answer.ts';
import type { Located, Target } from '../target/target-fields.ts';
import { captureDoubts } from './capture-doubts.ts';
import { macroDoubts } from './macro-doubts.ts';
import { alsoMentions, isRenamed } from './mention-edits.ts';
import { overrideDoubts } from './override-doubts.ts';
import { checkOwnership, type Renaming, renameDoubts } from './rename-doubts.ts';

/** What every rename of a symbol takes, beside what is renamed. */
export const renameFields = {
  new_name: z.string().optional(),
  plan_id: z.string().min(1).max(limits.input.id).optional().describe('Alone: applies that preview'),
  ...changeFields,
  dry_run: z.boolean().optional().describe('Default true'),
  allow_incomplete: z.boolean().optional(),
  also_mentions: z.boolean().optional().describe('In comments, strings too'),
};

/** A change, and where the old name still stands. */
export const renamed = change.extend(mentions.partial().shape);

type Renamed = z.output<typeof renamed>;

type Wanted = Target & z.output<z.ZodObject<typeof renameFields>>;

/** Previews or carries out the rename of a symbol. */
export async function previewOrApplyRename(
  context: ToolContext,
  wanted: Wanted,
  call: Call,
): Promise<Result<Renamed>> {
  const { plan_id, new_name, check, allow_incomplete } = wanted;
  if (plan_id !== undefined) {
    const dealing = { dry_run: wanted.dry_run ?? false, check, allow_incomplete };
    return previewOrApplyPlan(context, context.edits.find(plan_id), dealing, call);
  }
  if (new_name === undefined) throw missing();
  checkNewName(new_name);
  const located = await locate(context, wanted, call, { exact: true });
  const attempt = offerOnce(context, located, { ...wanted, new_name }, call);
  return attempt.catch(async (thrown: unknown) => {
    if (asLspanError(thrown).code !== 'stale') throw thrown;
    // A file has changed between the question and the plan: all is asked again, if it is still about the same.
    await context.workspace.refresh(call);
    const again = await locate(context, wanted, call, { exact: true });
    if (again.name !== located.name) throw thrown;
    return offerOnce(context, again, { ...wanted, new_name }, call);
  });
}

/** A rename as text. */
export function renderRenamed({
  mentions: some = [],
  mention_counts = {},
  files_not_searched,
  ...rest
}: Renamed): string {
  const left = files_not_searched === undefined ? {} : { files_not_searched };
  return renderChangeWith(rest, renderMentions({ mentions: some, mention_counts, ...left }));
}

async function offerOnce(
  context: ToolContext,
  located: Located,
  wanted: Wanted & { readonly new_name: string },
  call: Call,
): Promise<Result<Renamed>> {
  const { place, name } = located;
  const { new_name, check, allow_incomplete, allow_protected } = wanted;
  if (name === undefined) throw noAnswerError('symbol', located, located.doubts);
  checkRenaming(place.path, name, new_name);
  const renaming = { from: name, to: new_name };
  const { answer, definitions, doubts } = await ask(context, located, name, new_name, call);
  const searched = { place, name, references: [...answer.spans, ...answer.missed], all: false };
  const mentioned = await searchMentions(context, searched, call);
  const proposal = wanted.also_mentions
    ? await alsoMentions(context, answer.proposal, mentioned.found, new_name)
    : answer.proposal;
  const left = await showMentions(
    context,
    wanted.also_mentions ? unrenamed(context, mentioned) : mentioned,
    false,
  );
  const all: Doubt[] = [
    ...located.doubts,
    ...doubts,
    ...unexplainedMentionDoubts(left),
    ...(await renameDoubts(context, answer, definitions, renaming)),
    ...(await overrideDoubts(context, { name, definitions, ...answer, found: mentioned.found }, call)),
    ...(await macroDoubts(context, answer, mentioned.found, name)),
    ...(check ? await captures(context, place, answer, renaming, call) : []),
  ];
  const wish = { title: `rename ${name} to ${new_name}`, dry_run: wanted.dry_run ?? true, check };
  const offered: Result<ChangeData> = await previewOrApply(
    context,
    proposal,
    { ...wish, allow_incomplete, allow_protected, doubts: all },
    call,
  );
  const told = offered.data.edit ? await mentionedNow(context, place, name, call).catch(() => left) : left;
  return { ...offered, data: { ...offered.data, ...told }, adjusted: located.adjusted };
}

/** That this could not be looked into is no reason not to rename: the problems that follow are told in any case. */
async function captures(
  context: ToolContext,
  place: Place,
  answer: Rename,
  renaming: Renaming,
  call: Call,
): Promise<Doubt[]> {
  const looked = withTimeShare(call, limits.shares.captures, (inner) =>
    captureDoubts(context, place, answer, renaming, inner),
  );
  return looked.catch((thrown: unknown) => {
    // What is wrong with the proposal itself is told when it is planned.
    cancelSignalOf(call).throwIfAborted();
    if (asLspanError(thrown).code === 'internal') throw thrown;
    return [];
  });
}

/** Where the old name still stands: what is on the same line as a use has moved. */
async function mentionedNow(context: ToolContext, place: Place, name: string, call: Call): Promise<Mentions> {
  await context.workspace.refresh(call);
  return findMentions(context, { place, name, references: [], all: false }, call);
}

async function ask(
  context: ToolContext,
  { place }: Located,
  name: string,
  newName: string,
  call: Call,
): Promise<{
  readonly answer: Rename;
  readonly definitions: readonly Span[];
  readonly doubts: readonly Doubt[];
}> {
  const { backend } = context;
  // Both take their time at the first call, and so does the index of words.
  const [reply, definitions] = await Promise.all([
    backend.ask({ kind: 'rename', place, newName }, call),
    backend.ask({ kind: 'definition', place }, call).then(
      ({ answer }) => answer,
      () => [],
    ),
    context.workspace.mentioning(name, call),
  ]);
  checkOwnership(context, name, definitions);
  const { answer, doubts } = reply;
  if (answer === undefined || answer.proposal.steps.length === 0) throw cannot(name, doubts);
  return { answer, definitions, doubts };
}

function unrenamed(context: ToolContext, { found, left }: FoundMentions): FoundMentions {
  return { found: found.filter((one) => !isRenamed(context, one)), left };
}

function cannot(name: string, doubts: readonly Doubt[]): LspanError {
  const why = doubts.map(({ detail }) => ` ${detail}`).join('');
  return new LspanError('refused', `The server says that ${name} cannot be renamed here.${why}`, {
    nextStep: 'Point at the name where the symbol is declared, or change the text with apply_workspace_edit.',
  });
}

function missing(): LspanError {
  return new LspanError('invalid_input', '`new_name` is missing.', {
    nextStep: 'Give `new_name` and what is to be renamed, or the `plan_id` of a preview.',
  });
}

/** Checks what can be known of a new name without asking a server, which some do not check at all. */
function checkNewName(name: string): void {
  if (name === '') throw wrong('A new name cannot be empty.');
  if (name.length > limits.rename.name)
    throw wrong(`The new name has ${name.length} characters; more than ${limits.rename.name} are no name.`);
  if (unprintable.test(name)) throw wrong('The new name holds a line break or a control character.');
  if (/\s/u.test(name)) throw wrong(`The new name ${JSON.stringify(name)} holds white space.`);
  if (/[\\/]/.test(name)) throw wrong(`The new name ${JSON.stringify(name)} holds a path separator.`);
}

/** Checks that a name can take the place of another in a file. */
function checkRenaming(file: string, from: string, to: string): void {
  if (from === to) throw wrong(`It is called ${JSON.stringify(from)} already.`);
  if (isReserved(file, to)) throw wrong(`${JSON.stringify(to)} is a keyword of the language.`);
  if (identifier.test(from) && !identifier.test(to) && !hasOddNames(file))
    throw wrong(`${JSON.stringify(to)} is not an identifier, as ${JSON.stringify(from)} is.`);
}

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function wrong(message: string): LspanError {
  return new LspanError('invalid_input', message, { nextStep: 'Give another `new_name`.' });
}
