import type { Reply } from '../../../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../../../core/call.ts';
import { LspanError } from '../../../../core/errors.ts';
import { limits } from '../../../../core/limits.ts';
import { contains } from '../../../../core/position.ts';
import type { ProposedStep } from '../../../../core/proposal.ts';
import type { Place, Rename, Span } from '../../../../core/question.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';
import { nameAt, startKey } from '../../search/search-by-name.ts';

/** Dependencies for following a rename. */
interface Following {
  readonly server: string;
  readonly workspace: Workspace;
  /** Renames at another place; `undefined` if the server refuses or does not serve that file. */
  readonly again: (place: Place) => Promise<Rename | undefined>;
  /** Finds the definitions of the symbol at a place. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
}

/**
 * Follows a rename through imports and exports, where the server ends it with an alias (`old as new` in an
 * import, `new as old` in an export): renames the other side too, and drops the alias if both are renamed.
 */
export async function renameImports(
  following: Following,
  first: Rename,
  { place, newName }: { readonly place: Place; readonly newName: string },
  call: Call,
): Promise<Reply<Rename>> {
  const oldName = (await nameAt(following.workspace, place)) ?? '';
  const names = { oldName, newName };
  const chain: Chain = new Map();
  if (!addLinks(chain, first)) return { answer: first, doubts: [] };
  const beginning = await uncovered(following, chain, oldName);
  if (beginning) await follow(following, chain, beginning, call);
  let asked = 0;
  // The loop also visits entries added while it runs.
  for (const { span, texts } of chain.values()) {
    if (!texts.has(`${newName} as ${oldName}`) || asked === limits.mentionsAsked) continue;
    asked += 1;
    await follow(following, chain, span, call);
  }
  const left = beginning && [...chain.values()].find((one) => isImport(one, names) && !isWhole(one, names));
  if (left && beginning) throw onlyAliased(following, beginning);
  const answer = { ...first, ...rebuilt(chain, names) };
  const detail = `${following.server} was not asked at every place that re-exports the symbol.`;
  const capped = asked === limits.mentionsAsked;
  return { answer, doubts: capped ? [{ kind: 'capped', server: following.server, detail }] : [] };
}

/**
 * Renames the uses that the server leaves because it searches one of its workspace folders at a time: asks it again from
 * each such use, and takes what it says if that is about the same symbol.
 */
export async function renameInOtherFolders(
  first: Rename,
  again: Following['again'],
  call: Call,
): Promise<Rename> {
  const chain: Chain = new Map();
  if (first.missed.length === 0 || !addLinks(chain, first)) return first;
  const isMissed = (use: Span) => !chain.has(startKey(use));
  for (const use of first.missed.slice(0, limits.mentionsAsked)) {
    const more = isMissed(use) ? await renameAt(again, use, call) : undefined;
    if (more?.spans.some((span) => chain.has(startKey(span)))) addLinks(chain, more);
  }
  const missed = first.missed.filter(isMissed);
  return missed.length === first.missed.length ? first : { ...first, ...rebuilt(chain), missed };
}

type EditStep = Extract<ProposedStep, { kind: 'edit' }>;

/** One replaced place, and the new texts proposed from each side. */
interface Link {
  readonly step: EditStep;
  readonly span: Span;
  readonly edit: EditStep['edits'][number];
  readonly texts: Set<string>;
}

type Chain = Map<string, Link>;

interface Names {
  readonly oldName: string;
  readonly newName: string;
}

/** Adds the edits of a rename; returns whether it consists only of edits to existing text. */
function addLinks(chain: Chain, { proposal: { steps }, spans }: Rename): boolean {
  const edits = steps.flatMap((step) =>
    step.kind === 'edit' ? step.edits.map((edit) => ({ step, edit })) : [],
  );
  if (edits.length !== spans.length || steps.some(({ kind }) => kind !== 'edit')) return false;
  for (const [index, { step, edit }] of edits.entries()) {
    const span = spans[index];
    if (!span) continue;
    const known = chain.get(startKey(span)) ?? { step, edit, span, texts: new Set() };
    known.texts.add(edit.newText);
    chain.set(startKey(span), known);
  }
  return true;
}

async function follow({ again }: Following, chain: Chain, span: Span, call: Call): Promise<void> {
  const more = await renameAt(again, span, call);
  if (more) addLinks(chain, more);
}

/** Returns what the server renames from another place; `undefined` if it refuses. */
async function renameAt(
  again: Following['again'],
  { path, range }: Span,
  call: Call,
): Promise<Rename | undefined> {
  return again({ path, position: range.start }).catch((error: unknown) => {
    if (cancelSignalOf(call).aborted) throw error;
    return undefined;
  });
}

/** Returns the definition under the same name, if a rename meets an import but does not cover it. */
async function uncovered(
  { workspace, means }: Following,
  chain: Chain,
  oldName: string,
): Promise<Span | undefined> {
  const imported = await firstImported(chain, workspace);
  if (!imported) return undefined;
  const defined = (await means({ path: imported.path, position: imported.range.start })).filter(
    ({ standing }) => standing === 'inside',
  );
  if (defined.some((span) => chain.has(startKey(span)))) return undefined;
  const texts = await Promise.all(defined.map((span) => textOf(span, workspace)));
  return defined.find((_, index) => texts[index] === oldName);
}

/** Returns the first place of some file that is in an import: imports come before the uses in their file. */
async function firstImported(chain: Chain, workspace: Workspace): Promise<Span | undefined> {
  const files = new Set<string>();
  for (const { span } of chain.values()) {
    if (!files.has(span.path) && (await isImported(span, workspace))) return span;
    files.add(span.path);
  }
  return undefined;
}

/** Returns whether a place is between the braces of an import or export. */
async function isImported({ path, range: { start } }: Span, workspace: Workspace): Promise<boolean> {
  const document = await workspace.read(path);
  const lines = Array.from({ length: Math.min(start.line, limits.rename.importLines) }, (_, back) =>
    document.line(start.line - Math.min(start.line, limits.rename.importLines) + back),
  );
  const before = [...lines, document.line(start.line).slice(0, start.character)].join('\n');
  return /\b(?:import|export)\b[^;{}]*\{[^;{}]*$/.test(before);
}

function isImport({ texts }: Link, { oldName, newName }: Names): boolean {
  return texts.has(`${oldName} as ${newName}`);
}

/** Returns whether both sides of a place are renamed. */
function isWhole({ texts }: Link, { oldName, newName }: Names): boolean {
  return (
    texts.has(newName) || (texts.has(`${oldName} as ${newName}`) && texts.has(`${newName} as ${oldName}`))
  );
}

/** Returns the edits of all places, without the aliases that both sides have made needless. */
function rebuilt(chain: Chain, names?: Names): Pick<Rename, 'proposal' | 'spans'> {
  const steps = new Map<string, { readonly step: EditStep; readonly edits: EditStep['edits'][number][] }>();
  const spans = new Map<string, Span[]>();
  for (const one of chain.values()) {
    const { step, edit, span } = one;
    const unsaved = steps.get(step.uri) ?? { step, edits: [] };
    unsaved.edits.push(names && isWhole(one, names) ? { ...edit, newText: names.newName } : edit);
    steps.set(step.uri, unsaved);
    spans.set(step.uri, [...(spans.get(step.uri) ?? []), span]);
  }
  const edited = [...steps.values()].map(({ step, edits }) => ({ ...step, edits }));
  return { proposal: { steps: edited, confirm: [] }, spans: [...spans.values()].flat() };
}

function onlyAliased({ server, workspace }: Following, { path, range: { start } }: Span): LspanError {
  const where = `${workspace.show(path)}:${start.line + 1}:${start.character + 1}`;
  const message = `${server} would only add an alias in this file, not rename the declaration at ${where}.`;
  return new LspanError('refused', message, { nextStep: `Rename it at its declaration, ${where}.` });
}

/** Adds uses under the old name that the rename does not replace; uses under another name stay correct. */
export async function withMissed(
  rename: Rename,
  place: Place,
  uses: readonly Span[],
  workspace: Workspace,
): Promise<Rename> {
  const known = new Set([...rename.spans, ...rename.missed]);
  const isCovered = (use: Span) =>
    [...known].some(({ path, range }) => path === use.path && contains(range, use.range.start));
  const others = uses.filter((use) => !known.has(use) && use.standing === 'inside' && !isCovered(use));
  const left = [...new Map(others.map((use) => [startKey(use), use])).values()];
  if (left.length === 0) return rename;
  const name = await nameAt(workspace, place);
  const texts = await Promise.all(left.map((use) => textOf(use, workspace)));
  const missed = left.filter((_, index) => texts[index] === name);
  return { ...rename, missed: [...rename.missed, ...missed] };
}

async function textOf({ path, range: { start, end } }: Span, workspace: Workspace): Promise<string> {
  const document = await workspace.read(path);
  return document.line(start.line).slice(start.character, end.character);
}
