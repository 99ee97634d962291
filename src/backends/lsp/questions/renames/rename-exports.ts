import { type Call, cancelSignalOf } from '../../../../core/call.ts';
import { limits } from '../../../../core/limits.ts';
import type { Place, Rename, Span } from '../../../../core/question.ts';
import { groupBy } from '../../../../core/runtime/group-by.ts';
import { isInPattern, isShorthand } from '../../../../source-text/destructuring.ts';
import { exportedNameAt } from '../../../../source-text/exports.ts';
import { linkAt } from '../../../../source-text/imports.ts';
import type { Document } from '../../../../workspace/texts/document.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';
import { nameAt } from '../../search/search-by-name.ts';
import {
  declaring,
  type Following,
  isAnyIn,
  isVariable,
  isVariableAlone,
  otherDefinitions,
  untoldUses,
} from './loose-names.ts';
import { type Names, type NewTexts, textsOf, withTexts } from './rename-texts.ts';

/**
 * What a word is to a script: a name that a module gives or takes, a variable that is taken out of an object under its name,
 * a property and its value at once, or neither.
 */
type Role = 'given' | 'linked' | 'taken' | 'property' | 'name';

/**
 * Renames on across `exports` and `require`, where the server ends with a property that keeps the old name: `{ total: sum }`.
 * The places that it resolves and leaves are renamed too, but for those that mean a property of another object. What may be a
 * use by that property, and cannot be resolved, stays as missed. Where a file would have the old and the new name for one
 * variable, the rename is left as the server gave it.
 */
export async function renameExports(
  following: Following,
  first: Rename,
  { place, newName }: { readonly place: Place; readonly newName: string },
  call: Call,
): Promise<Rename> {
  const { workspace, means } = following;
  const oldName = await nameAt(workspace, place);
  if (oldName === undefined || !isPlain(first) || first.missed.length > limits.mentionsAsked) return first;
  const roles = await rolesOf(workspace, [...first.spans, ...first.missed], oldName);
  const having = (...wanted: Role[]) =>
    [...roles].flatMap(([span, role]) => (wanted.includes(role) ? [span] : []));
  const given = having('given');
  if (given.length === 0) return first;
  const kept = having('property');
  const linked: Span[] = [];
  for (const span of having('linked', 'taken')) {
    cancelSignalOf(call).throwIfAborted();
    if (await leadsTo(means, span, kept)) continue;
    if (roles.get(span) === 'linked' || (await leadsTo(means, span, given))) linked.push(span);
  }
  const added = await addedOf(following, first.missed, { roles, kept, linked }, call);
  const names = { oldName, newName };
  const exchanged = new Set([...given, ...linked]);
  const texts = textsOf(first, added, exchanged, (span) => roles.get(span) === 'name', names);
  if (!(await areWhole(workspace, texts, { names, server: first }))) return first;
  const missed = await untoldUses(following, oldName, [...texts.keys(), ...first.missed], call);
  if (missed === undefined) return first;
  return {
    ...first,
    proposal: { ...first.proposal, steps: await withTexts(workspace, first, added, texts) },
    spans: [...first.spans, ...added],
    missed,
  };
}

/** True if a rename consists only of edits, whose spans are known, and of code: what declares a script stands beside it. */
function isPlain({ proposal: { steps }, spans, missed }: Rename): boolean {
  if ([...spans, ...missed].some(({ path }) => declaring.test(path))) return false;
  const edits = steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
  return edits.length === spans.length && steps.every(({ kind }) => kind === 'edit');
}

async function rolesOf(workspace: Workspace, spans: readonly Span[], name: string): Promise<Map<Span, Role>> {
  const roles = new Map<Span, Role>();
  for (const span of spans) roles.set(span, roleAt(await workspace.read(span.path), span, name));
  return roles;
}

function roleAt(document: Document, { range }: Span, name: string): Role {
  const { path, text } = document;
  const offset = document.offsetAt(range.start);
  if (givesByExports(document) && exportedNameAt(path, text, offset) === name) return 'given';
  const link = linkAt(path, text, offset);
  if (link) return link.name === name ? 'linked' : 'name';
  if (!isShorthand(path, text, offset)) return 'name';
  return isInPattern(path, text, offset) ? 'taken' : 'property';
}

/** True for a script that may give by `exports`: a server follows what a statement exports. */
function givesByExports({ path, text }: Document): boolean {
  return /\.[cm]?jsx?$/.test(path) && /\bexports\b/.test(text);
}

/** Returns the places that the server leaves and that are renamed too: the others mean a property that keeps its name. */
async function addedOf(
  { means }: Following,
  missed: readonly Span[],
  {
    roles,
    kept,
    linked,
  }: {
    readonly roles: ReadonlyMap<Span, Role>;
    readonly kept: readonly Span[];
    readonly linked: readonly Span[];
  },
  call: Call,
): Promise<readonly Span[]> {
  const added: Span[] = [];
  for (const span of missed) {
    cancelSignalOf(call).throwIfAborted();
    const role = roles.get(span);
    const mayStay = role === 'linked' || role === 'taken' ? !linked.includes(span) : role !== 'given';
    if (!mayStay || !(await leadsTo(means, span, kept))) added.push(span);
  }
  return added;
}

/** True if no file has the old name and the new one for a variable that is renamed there. */
async function areWhole(
  workspace: Workspace,
  texts: NewTexts,
  { names, server }: { readonly names: Names; readonly server: Rename },
): Promise<boolean> {
  const kept = `${names.newName}: ${names.oldName}`;
  const given = server.proposal.steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
  // The server knows which variable it renames, and which of that name are others.
  const known = new Set(server.spans.filter((_, index) => given[index]?.newText !== kept));
  for (const [path, spans] of groupBy([...texts.keys()], (span) => span.path)) {
    const document = await workspace.read(path);
    const isOwn = (span: Span) => !known.has(span) && texts.get(span) !== kept;
    const changed = spans.filter((span) => isOwn(span) && isVariable(document, span));
    if (changed.length > 0 && !isVariableAlone(document, names.oldName, spans)) return false;
  }
  return true;
}

/** True if a server says of a place that it means one of some spans. */
async function leadsTo(means: Following['means'], span: Span, spans: readonly Span[]): Promise<boolean> {
  return spans.length > 0 && isAnyIn(await otherDefinitions(means, span), spans);
}
