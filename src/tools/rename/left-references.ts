import { type Call, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Rename, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { isShorthand } from '../../source-text/destructuring.ts';
import { importedNameAt, isPython } from '../../source-text/imports.ts';
import { isQuotedKey } from '../../source-text/members/quoted-keys.ts';
import { memberListAt } from '../../source-text/names/python-names.ts';
import { definitionsAt } from '../mentions/definitions-at.ts';
import { type FoundMentions, type FoundUse, type Mention, namePlaces } from '../mentions/mentions.ts';
import { SpanSet } from '../mentions/span-set.ts';
import { askedBeside } from '../run/asked-beside.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { spanKey, uniqueSpans } from '../show/location.ts';
import { plural } from '../show/render-location.ts';
import { mayBeRenamed } from './also-renamed.ts';
import { pastedUses } from './pasted-uses.ts';

/** What a rename changes, and the mentions of the name that it leaves. */
export interface Searched {
  readonly answer: Rename;
  readonly everything: FoundMentions;
}

/**
 * Some servers list references that they do not rename: the methods of types that have the methods of an interface. Where
 * the references are not known, that is a doubt.
 */
export async function withReferences(
  context: ToolContext,
  place: Place,
  { answer, everything }: Searched,
  call: Call,
): Promise<Searched & { readonly doubts: readonly Doubt[] }> {
  const isOther = ({ reason }: Mention) => reason === 'other_symbol';
  if (!everything.found.some(isOther)) return { answer, everything, doubts: [] };
  const asking = withinShare(call, limits.shares.beside, (part) =>
    context.backend.ask({ kind: 'references', place }, part),
  );
  const { value: reply, doubts } = await askedBeside(asking, unlisted, call);
  const listed = new Set(reply?.answer.map(spanKey));
  const unchanged = everything.found.filter((one) => isOther(one) && listed.has(spanKey(one)));
  const missed = await withoutProperties(context, unchanged, answer, call);
  if (missed.length === 0) return { answer, everything, doubts };
  const found = everything.found.filter((one) => !missed.includes(one));
  return {
    answer: { ...answer, missed: [...answer.missed, ...missed] },
    everything: { ...everything, found },
    doubts,
  };
}

const unlisted = 'The server did not list the references, so the rename may leave some. Call again.';

/**
 * Separates the uses of Python in files that the server leaves out as a whole: pyright lists those in open files, and resolves
 * what is asked, but renames only in files of its project. Elsewhere a server may have its reason to leave a use.
 */
export async function withoutFilesBeyond(
  context: ToolContext,
  { answer, everything }: Searched,
  name: string,
): Promise<Searched & { readonly beyond: readonly Span[] }> {
  const edited = new Set(answer.spans.map(({ path }) => path));
  const asked = everything.uses.filter((use) => !use.isImported && !use.isAlias && !use.isInText);
  const beyond: Span[] = [];
  for (const span of [...answer.missed, ...asked]) {
    if (!isPython(span.path) || edited.has(span.path) || span.standing !== 'inside') continue;
    const text = (await documentAt(context, span.path))?.line(span.range.start.line) ?? '';
    const { start, end } = span.range;
    if (start.line === end.line && text.slice(start.character, end.character) === name) beyond.push(span);
  }
  if (beyond.length === 0) return { answer, everything, beyond };
  const isLeft = (span: Span) => !beyond.includes(span);
  return {
    answer: { ...answer, missed: answer.missed.filter(isLeft) },
    everything: { ...everything, uses: everything.uses.filter(isLeft) },
    beyond,
  };
}

/**
 * Separates the uses by texts, which servers leave: of a member by a string that fills its quotes, `Pick<Box, 'x'>`, where
 * the server of TypeScript does not resolve it itself, and of a symbol of Python by its module, `"shop.cart.total"`, or in
 * `__slots__`.
 */
export async function withoutQuoted(
  context: ToolContext,
  { answer, everything }: Searched,
  call: Call,
): Promise<Searched & { readonly quoted: readonly FoundUse[] }> {
  const found: FoundUse[] = [];
  for (const use of everything.uses) {
    if (use.isInText && !use.isAlias && mayBeRenamed(context, use)) found.push(use);
    if (use.isInText) continue;
    const document = use.isImported || use.isAlias ? undefined : await documentAt(context, use.path);
    if (!document) continue;
    const word = { start: document.offsetAt(use.range.start), end: document.offsetAt(use.range.end) };
    const { path, text } = document;
    if (isQuotedKey(path, text, word) || memberListAt(path, text, word) !== undefined) found.push(use);
  }
  const quoted = await withoutProperties(context, found, answer, call);
  const uses = everything.uses.filter((use) => !quoted.includes(use));
  return { answer, everything: { ...everything, uses }, quoted };
}

/** Returns a doubt if the server resolves places to the symbol, but its rename leaves them. */
export async function leftUseDoubts(
  context: ToolContext,
  symbol: { readonly place: Place; readonly name: string },
  { uses }: FoundMentions,
  rename: Rename,
  call: Call,
): Promise<Doubt[]> {
  const left: Span[] = [];
  for (const [path, own] of groupBy(
    uses.filter(({ isImported }) => !isImported),
    (use) => use.path,
  )) {
    const document = await documentAt(context, path);
    // An importing file chooses the name of a default import, so it may stay.
    const isChosen = own.some(
      ({ range }) =>
        document && importedNameAt(path, document.text, document.offsetAt(range.start))?.name === 'default',
    );
    if (!isChosen) left.push(...own);
  }
  const pasted = await pastedUses(context, symbol, call);
  const missed = uniqueSpans([
    ...(await withoutProperties(context, left, rename, call)),
    ...(pasted.value ?? []),
  ]);
  if (missed.length === 0) return [...pasted.doubts];
  const detail = `The server's rename leaves ${plural('use', missed.length)} of the symbol: ${namePlaces(context.workspace, missed)}`;
  return [...pasted.doubts, { kind: 'unexpected_edit', detail }];
}

/** Returns a doubt if uses are left because others in their files are not known. */
export function halfKnownDoubts({ workspace }: ToolContext, left: readonly Span[]): Doubt[] {
  if (left.length === 0) return [];
  const detail = `${plural('use', left.length)} in files with unverified mentions ${left.length === 1 ? 'stays' : 'stay'}: ${namePlaces(workspace, left)}`;
  return [{ kind: 'unverified', detail }];
}

/** Leaves out the uses of properties that keep their name: `{ run }` becomes `{ run: start }`, and `box.run` stays. */
async function withoutProperties<Use extends Span>(
  context: ToolContext,
  uses: readonly Use[],
  { proposal, spans }: Rename,
  call: Call,
): Promise<readonly Use[]> {
  const edits = proposal.steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
  if (uses.length === 0 || !edits.some(({ newText }) => newText.includes(':'))) return uses;
  const properties: Span[] = [];
  for (const span of spans) if (await isProperty(context, span)) properties.push(span);
  if (properties.length === 0) return uses;
  const known = await SpanSet.from(properties);
  const left: Use[] = [];
  for (const use of uses) {
    const definitions = (await definitionsAt(context, use, call)) ?? [];
    if (!definitions.some((one) => known.meets(one))) left.push(use);
  }
  return left;
}

async function isProperty(context: ToolContext, { path, range, standing }: Span): Promise<boolean> {
  const document = standing === 'inside' ? await documentAt(context, path) : undefined;
  return document !== undefined && isShorthand(path, document.text, document.offsetAt(range.start));
}
