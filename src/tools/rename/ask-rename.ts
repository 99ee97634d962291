import { type Call, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { decodeColumn } from '../../core/position.ts';
import type { Proposal } from '../../core/proposal.ts';
import type { Place, Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import type { OwnName } from '../../source-text/names/own-names.ts';
import { isStyleSheet } from '../../source-text/names/style-names.ts';
import { ownNameIn } from '../../workspace/texts/own-name.ts';
import { checkCasts } from '../mentions/check-casts.ts';
import { notByMacro } from '../mentions/follow-declarations.ts';
import { withConditions } from '../mentions/not-compiled.ts';
import { searchMentions } from '../mentions/search-mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type Searched, withReferences } from './left-references.ts';
import { checkOwnership, type Renaming } from './rename-doubts.ts';

/** What a server renames, and what is known of the other places that have the name. */
interface AskedRename extends Searched {
  readonly definitions: readonly Span[];
  readonly doubts: readonly Doubt[];
}

/**
 * Asks a server for a rename, and searches the name for what it leaves. A server of C knows a header that nothing compiled
 * includes only when it is open, as the search leaves it: where something is left, it is asked once more.
 */
export async function askRename(
  context: ToolContext,
  place: Place,
  renaming: Renaming,
  call: Call,
): Promise<AskedRename> {
  const first = await askAndSearch(context, place, renaming, call);
  if (!isC(place.path) || isWhole(first)) return first;
  const again = await askAndSearch(context, place, renaming, call);
  return again.answer.spans.length > first.answer.spans.length ? again : first;
}

function isWhole({ answer, everything }: Searched): boolean {
  return answer.missed.length === 0 && everything.uses.every(({ isImported }) => isImported);
}

async function askAndSearch(
  context: ToolContext,
  place: Place,
  renaming: Renaming,
  call: Call,
): Promise<AskedRename> {
  const own = await ownNameIn(context.workspace, place);
  const { answer, ...known } = await ask(context, place, { ...renaming, own }, call);
  const searched = { place, name: renaming.from, references: [...answer.spans, ...answer.missed] };
  const everything = await searchMentions(context, searched, call);
  // What a file calls another module may be listed with what others call it, and is renamed alone.
  if (own !== undefined) return { ...known, answer, everything };
  const { doubts, ...all } = await withReferences(context, place, { answer, everything }, call);
  return { ...known, ...all, doubts: [...known.doubts, ...doubts] };
}

async function ask(
  context: ToolContext,
  place: Place,
  { from: name, to: newName, own }: Renaming & { readonly own: OwnName | undefined },
  call: Call,
): Promise<Omit<AskedRename, 'everything'>> {
  const { backend } = context;
  await checkCasts(context, { name, path: place.path }, undefined, call);
  // All three take their time at the first call, so they run in parallel.
  const [reply, defined] = await Promise.all([
    backend.ask({ kind: 'rename', place, newName }, call).catch(async (thrown: unknown) => {
      const error = asLspanError(thrown);
      const [condition] = error.code === 'refused' ? await withConditions(context, place, []) : [];
      if (condition === undefined) throw thrown;
      const nextStep = 'Search the text for the name, and edit each use.';
      throw new LspanError('refused', `${error.message} ${condition.detail}`, { cause: error, nextStep });
    }),
    withinShare(call, limits.shares.beside, (part) => backend.ask({ kind: 'definition', place }, part)).then(
      (known) => known?.answer,
      () => [],
    ),
    context.workspace.mentioning(name, call),
  ]);
  const ofSymbol = defined && (await notByMacro(context, place, defined));
  // A file calls another module as it likes: what it renames is not the module.
  const definitions = own === 'module' ? ofSymbol?.filter(({ path }) => path === place.path) : ofSymbol;
  checkOwnership(context, name, definitions ?? []);
  const answer = reply.answer && {
    ...reply.answer,
    proposal: await withMarks(context, reply.answer.proposal),
  };
  const doubts = definitions ? reply.doubts : [...reply.doubts, noDefinition(name)];
  if (answer === undefined || answer.proposal.steps.length === 0) throw cannot(name, doubts);
  return { answer, definitions: definitions ?? [], doubts };
}

function noDefinition(name: string): Doubt {
  const detail = `The server did not say in time where ${name} is defined: it may be that of a library.`;
  return { kind: 'timed_out', detail };
}

function cannot(name: string, doubts: readonly Doubt[]): LspanError {
  const why = doubts.map(({ detail }) => ` ${detail}`).join('');
  return new LspanError('refused', `The server cannot rename ${name} here.${why}`, {
    nextStep: 'Point at the name in the declaration, or change the text with apply_workspace_edit.',
  });
}

/**
 * Gives names of style sheets the mark that they had: servers take `.button` or `--tone` as a whole for the name, and write the
 * new one as it was given.
 */
async function withMarks(context: ToolContext, proposal: Proposal): Promise<Proposal> {
  const steps = await Promise.all(
    proposal.steps.map(async (step) => {
      const path = step.kind === 'edit' ? context.workspace.fromUri(step.uri).path : undefined;
      if (step.kind !== 'edit' || path === undefined || !isStyleSheet(path)) return step;
      const document = await documentAt(context, path);
      if (!document) return step;
      const edits = step.edits.map((edit) => {
        const { start, end } = edit.range;
        const line = document.line(start.line);
        const [from, to] = [start, end].map(({ character }) => decodeColumn(line, character, step.encoding));
        if (start.line !== end.line || from === undefined || to === undefined) return edit;
        return { ...edit, newText: marked(line.slice(from, to), edit.newText) };
      });
      return { ...step, edits };
    }),
  );
  return { ...proposal, steps };
}

function marked(replaced: string, given: string): string {
  const own = mark.exec(replaced)?.[0];
  return own === undefined || given.startsWith(own) ? given : `${own}${given.replace(mark, '')}`;
}

const mark = /^(?:--|[.#])/;
