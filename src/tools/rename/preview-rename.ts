import { z } from 'zod';
import { type Call, withinPart } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { encodeColumn, type Position, type PositionEncoding } from '../../core/position.ts';
import type { Proposal, ProposedEdit, ProposedStep } from '../../core/proposal.ts';
import type { Place, Rename, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { isShorthand, takenFrom } from '../../source-text/destructuring.ts';
import { linkAt } from '../../source-text/imports.ts';
import { hasOddNames, isReserved } from '../../source-text/reserved-words.ts';
import { occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { previewOrApply, previewOrApplyPlan } from '../change/change.ts';
import { type ChangeData, change, changeFields } from '../change/change-data.ts';
import { renderChangeWith } from '../change/render-change.ts';
import {
  type FoundUse,
  type Mentions,
  mentions,
  namePlaces,
  renderMentions,
  toMentionsData,
  unexplainedMentionDoubts,
  unsettledDoubts,
} from '../mentions/mentions.ts';
import { searchMentions } from '../mentions/search-mentions.ts';
import { askedBeside } from '../run/asked-beside.ts';
import type { Result, ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { locate } from '../target/locate.ts';
import { noAnswerError } from '../target/no-answer.ts';
import type { Located, Target } from '../target/target-fields.ts';
import { alsoRenamedOf } from './also-renamed.ts';
import { askRename } from './ask-rename.ts';
import { fixtureDoubts } from './fixture-doubts.ts';
import { halfKnownDoubts, leftUseDoubts, withoutFilesBeyond, withoutQuoted } from './left-references.ts';
import { overrideDoubts } from './override-doubts.ts';
import { captureDoubts, type Renaming, renameDoubts } from './rename-doubts.ts';
import { usersElsewhereDoubts } from './users-elsewhere.ts';

/** Fields of every rename of a symbol, besides its target. */
export const renameFields = {
  new_name: z.string().optional(),
  plan_id: z.string().min(1).max(limits.input.id).optional().describe('Alone: applies that preview'),
  ...changeFields,
  dry_run: z.boolean().optional().describe('Default true'),
  allow_incomplete: z.boolean().optional(),
  also_mentions: z.boolean().optional().describe('In comments, strings too'),
};

/** A change, and where the old name still occurs. */
export const renamed = change.extend(mentions.partial().shape);

type Renamed = z.output<typeof renamed>;

type RenameInput = Target & z.output<z.ZodObject<typeof renameFields>>;

/** Previews or applies the rename of a symbol. */
export async function previewOrApplyRename(
  context: ToolContext,
  input: RenameInput,
  call: Call,
): Promise<Result<Renamed>> {
  const { plan_id, new_name, check, allow_incomplete } = input;
  if (plan_id !== undefined) {
    const applying = { dry_run: input.dry_run ?? false, check, allow_incomplete };
    return previewOrApplyPlan(context, context.edits.find(plan_id), applying, call);
  }
  if (new_name === undefined) throw missing();
  checkNewName(new_name);
  const located = await locate(context, input, call, { exact: true });
  const attempt = renameOnce(context, located, { ...input, new_name }, call);
  return attempt.catch(async (thrown: unknown) => {
    if (asLspanError(thrown).code !== 'stale') throw thrown;
    // A file has changed between the question and the plan: ask again, if the target is still the same symbol.
    await context.workspace.refresh(call);
    const again = await locate(context, input, call, { exact: true });
    if (again.name !== located.name) throw thrown;
    return renameOnce(context, again, { ...input, new_name }, call);
  });
}

/** Renders a rename. */
export function renderRenamed(data: Renamed): string {
  const { mentions: some = [], mention_counts = {}, files_not_searched, ...rest } = data;
  const left = files_not_searched === undefined ? {} : { files_not_searched };
  return renderChangeWith(rest, renderMentions({ mentions: some, mention_counts, ...left }));
}

async function renameOnce(
  context: ToolContext,
  located: Located,
  input: RenameInput & { readonly new_name: string },
  call: Call,
): Promise<Result<Renamed>> {
  const { place, name } = located;
  const { new_name, check, allow_incomplete, allow_protected } = input;
  if (name === undefined) throw noAnswerError('symbol', located, located.doubts);
  checkRenaming(place.path, name, new_name);
  const renaming = { from: name, to: new_name };
  const asked = await askRename(context, place, renaming, call);
  const { definitions, doubts } = asked;
  const { beyond, ...others } = await withoutFilesBeyond(context, asked, name);
  const { answer, everything, quoted } = await withoutQuoted(context, others, call);
  const besides: readonly FoundUse[] = [...beyond, ...quoted];
  // A name that a file gives to the symbol itself stays.
  const mentioned = { ...everything, found: everything.found.filter(({ isAlias }) => !isAlias) };
  // The server cannot follow the imports of these, so its rename leaves them.
  const half = new Set(
    mentioned.found.filter(({ reason }) => reason === 'unverified').map(({ path }) => path),
  );
  // A file of which only some places are known is left as it is, and doubted.
  const behind = mentioned.uses.filter(({ isImported, isAlias }) => isImported && !isAlias);
  const imported = behind.filter(({ path }) => !half.has(path));
  const texts = { spans: answer.spans, areWanted: input.also_mentions };
  const alsoRenamed = await alsoRenamedOf(context, mentioned.found, texts, call);
  const withImported = await addNameEdits(
    context,
    answer.proposal,
    [...imported, ...besides],
    (document, span) => (isPropertyToo(document, span) ? `${name}: ${new_name}` : new_name),
  );
  const proposal = await addNameEdits(context, withImported, [...alsoRenamed.mentions], () => new_name);
  const remaining = { ...mentioned, found: mentioned.found.filter((one) => !alsoRenamed.mentions.has(one)) };
  const left = await toMentionsData(context, remaining, false);
  const all: Doubt[] = [
    ...located.doubts,
    ...unsettledDoubts(doubts, everything),
    ...unexplainedMentionDoubts(context, remaining),
    ...alsoRenamed.doubts,
    ...(await leftUseDoubts(context, { place, name }, mentioned, answer, call)),
    ...halfKnownDoubts(
      context,
      behind.filter(({ path }) => half.has(path)),
    ),
    ...(await takenNameDoubts(context, [...imported, ...besides.filter((use) => !use.isInText)], new_name)),
    ...(await renameDoubts(context, answer, definitions, renaming)),
    ...(await overrideDoubts(context, { renaming, definitions, ...answer, found: mentioned.found }, call)),
    ...(await fixtureDoubts(context, answer.spans, name, call)),
    ...(await usersElsewhereDoubts(context, located, name, call)),
    ...(check ? await captureDoubtsInTime(context, place, answer, renaming, call) : []),
  ];
  const applying = { dry_run: input.dry_run ?? true, check, allow_incomplete, allow_protected };
  const request = { ...applying, title: `rename ${name} to ${new_name}`, doubts: all };
  const result: Result<ChangeData> = await previewOrApply(context, proposal, request, call);
  const shown = result.data.edit ? await mentionedNow(context, place, name, call).catch(() => left) : left;
  return { ...result, data: { ...result.data, ...shown }, adjusted: located.adjusted };
}

/** True if a use is also the name of a property, which stays: in `{ name }`, unless the symbol is taken from there. */
function isPropertyToo(document: Document, { range }: Span): boolean {
  const { path, text } = document;
  const offset = document.offsetAt(range.start);
  return (
    isShorthand(path, text, offset) &&
    linkAt(path, text, offset) === undefined &&
    takenFrom(path, text, offset) === undefined
  );
}

/** A failure here does not prevent a rename. */
async function captureDoubtsInTime(
  context: ToolContext,
  place: Place,
  answer: Rename,
  renaming: Renaming,
  call: Call,
): Promise<Doubt[]> {
  const asking = withinPart(call, { share: limits.shares.captures, margin: limits.change.margin }, (inner) =>
    captureDoubts(context, place, answer, renaming, inner),
  );
  const unknown = `It is not known whether ${renaming.to} already names something else. Call again.`;
  const { value = [], doubts } = await askedBeside(asking, unknown, call);
  return [...value, ...doubts];
}

/** Returns where the old name still occurs: mentions on the same line as a use have moved. */
async function mentionedNow(context: ToolContext, place: Place, name: string, call: Call): Promise<Mentions> {
  await context.workspace.refresh(call);
  const mentioned = await searchMentions(context, { place, name, references: [] }, call);
  return toMentionsData(context, mentioned, false);
}

/** Returns a doubt if a file in which lspan itself renames imported uses has the new name already. */
async function takenNameDoubts(
  context: ToolContext,
  imported: readonly Span[],
  name: string,
): Promise<Doubt[]> {
  const taken: Span[] = [];
  for (const [path, [first]] of groupBy(imported, (use) => use.path)) {
    const document = await documentAt(context, path);
    if (first && document && occurrences(document.text, name).length > 0) taken.push(first);
  }
  if (taken.length === 0) return [];
  const detail = `${name} is already used in files that import the symbol: ${namePlaces(context.workspace, taken)}`;
  return [{ kind: 'unexpected_edit', detail }];
}

function missing(): LspanError {
  return new LspanError('invalid_input', '`new_name` is missing.', {
    nextStep: 'Give `new_name` and the symbol, or the `plan_id` of a preview.',
  });
}

/** Checks a new name as far as that is possible without a server, since some do not check it. */
function checkNewName(name: string): void {
  if (name === '') throw wrong('A new name cannot be empty.');
  if (name.length > limits.rename.name)
    throw wrong(`The new name has ${name.length} characters; at most ${limits.rename.name} are allowed.`);
  if (unprintable.test(name)) throw wrong('The new name has a line break or control character.');
  if (/\s/u.test(name)) throw wrong(`The new name ${JSON.stringify(name)} has white space.`);
  if (/[\\/]/.test(name)) throw wrong(`The new name ${JSON.stringify(name)} has a path separator.`);
}

/** Checks that a name can replace another in a file. */
function checkRenaming(file: string, from: string, to: string): void {
  if (from === to) throw wrong(`It is already called ${JSON.stringify(from)}.`);
  if (isReserved(file, to)) throw wrong(`${JSON.stringify(to)} is a keyword of the language.`);
  if (identifier.test(from) && !identifier.test(to) && !hasOddNames(file))
    throw wrong(`${JSON.stringify(to)} is not an identifier, but ${JSON.stringify(from)} is.`);
}

const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function wrong(message: string): LspanError {
  return new LspanError('invalid_input', message, { nextStep: 'Give another `new_name`.' });
}

/** Adds edits to a proposal that give places the new name which the server does not rename. */
async function addNameEdits(
  context: ToolContext,
  proposal: Proposal,
  spans: readonly Span[],
  newText: (document: Document, span: Span) => string,
): Promise<Proposal> {
  if (spans.length === 0) return proposal;
  const steps = [...proposal.steps];
  const moved = new Set(steps.flatMap((step) => pathsMoved(context, step)));
  const wanted = spans.filter((one) => !moved.has(one.path));
  for (const [path, own] of groupBy(wanted, (one) => one.path)) {
    const document = await context.workspace.read(path);
    const at = steps.findIndex((step) => step.kind === 'edit' && pathOf(context, step.uri) === path);
    const step = steps[at];
    const base = step?.kind === 'edit' ? step : newStep(context, document);
    const edits = own.map((one) => toEdit(document, one, newText(document, one), base.encoding));
    const joined = { ...base, edits: [...base.edits, ...edits] };
    // Positions of a step all refer to the text before it, so the edits of a file belong together.
    if (step) steps[at] = joined;
    else steps.unshift(joined);
  }
  return { ...proposal, steps };
}

type TextStep = Extract<ProposedStep, { readonly kind: 'edit' }>;

function newStep({ workspace }: ToolContext, { path, hash }: Document): TextStep {
  return { kind: 'edit', uri: workspace.uri(path), encoding: 'utf-16', edits: [], seen: hash };
}

function toEdit(
  document: Document,
  { range: { start, end } }: Span,
  newText: string,
  encoding: PositionEncoding,
): ProposedEdit {
  const encode = ({ line, character }: Position) => ({
    line,
    character: encodeColumn(document.line(line), character, encoding),
  });
  return { range: { start: encode(start), end: encode(end) }, newText };
}

function pathsMoved(context: ToolContext, step: ProposedStep): string[] {
  if (step.kind === 'rename') return [pathOf(context, step.from), pathOf(context, step.to)];
  return step.kind === 'edit' ? [] : [pathOf(context, step.uri)];
}

function pathOf({ workspace }: ToolContext, uri: string): string {
  return workspace.fromUri(uri).path;
}
