import type { Call } from '../../../../core/call.ts';
import { limits } from '../../../../core/limits.ts';
import { contains, encodeColumn, type Position } from '../../../../core/position.ts';
import type { ProposedEdit, ProposedStep } from '../../../../core/proposal.ts';
import type { Place, Rename, Span } from '../../../../core/question.ts';
import { groupBy } from '../../../../core/runtime/group-by.ts';
import { isInPattern, isShorthand } from '../../../../source-text/destructuring.ts';
import { exportedNameAt } from '../../../../source-text/exports.ts';
import { linkAt } from '../../../../source-text/imports.ts';
import type { Document } from '../../../../workspace/texts/document.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';
import { nameAt } from '../../search/search-by-name.ts';

/** Dependencies for renaming across `exports` and `require`. */
interface Following {
  readonly workspace: Workspace;
  /** Finds the definitions of the symbol at a place. */
  readonly means: (place: Place) => Promise<readonly Span[]>;
}

/**
 * What a word is to a script: a name that modules exchange, a variable that is taken out of an object under its name, a
 * property and its value at once, or neither.
 */
type Role = 'exchanged' | 'taken' | 'property' | 'name';

/**
 * Renames on across `exports` and `require`, where the server ends with a property that keeps the old name: `{ total: sum }`.
 * The places that it resolves and leaves are renamed too, but for those that mean a property of another object.
 */
export async function renameExports(
  { workspace, means }: Following,
  first: Rename,
  { place, newName }: { readonly place: Place; readonly newName: string },
  call: Call,
): Promise<Rename> {
  const oldName = await nameAt(workspace, place);
  if (oldName === undefined || !isPlain(first) || first.missed.length > limits.mentionsAsked) return first;
  const roles = await rolesOf(workspace, [...first.spans, ...first.missed], oldName);
  const having = (role: Role) => [...roles].flatMap(([span, own]) => (own === role ? [span] : []));
  const exchanged = having('exchanged');
  if (exchanged.length === 0) return first;
  for (const span of having('taken')) if (await leadsTo(means, span, exchanged)) roles.set(span, 'exchanged');
  const kept = having('property');
  const added: Span[] = [];
  for (const span of first.missed) {
    call.signal.throwIfAborted();
    if (kept.length === 0 || roles.get(span) !== 'name' || !(await leadsTo(means, span, kept)))
      added.push(span);
  }
  const texts = new Map(
    [...roles].map(([span, role]) => [span, isShort.has(role) ? `${oldName}: ${newName}` : newName]),
  );
  return {
    ...first,
    proposal: { ...first.proposal, steps: await withEdits(workspace, first, added, texts) },
    spans: [...first.spans, ...added],
    missed: [],
  };
}

/** True if a rename consists only of edits, whose spans are known. */
function isPlain({ proposal: { steps }, spans }: Rename): boolean {
  const edits = steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
  return edits.length === spans.length && steps.every(({ kind }) => kind === 'edit');
}

/** Roles in which a word is also the name of a property, which stays. */
const isShort: ReadonlySet<Role> = new Set(['taken', 'property']);

async function rolesOf(workspace: Workspace, spans: readonly Span[], name: string): Promise<Map<Span, Role>> {
  const roles = new Map<Span, Role>();
  for (const span of spans) roles.set(span, roleAt(await workspace.read(span.path), span, name));
  return roles;
}

function roleAt(document: Document, { range }: Span, name: string): Role {
  const { path, text } = document;
  const offset = document.offsetAt(range.start);
  if (exportedNameAt(path, text, offset) === name) return 'exchanged';
  const link = linkAt(path, text, offset);
  if (link) return link.name === name ? 'exchanged' : 'name';
  if (!isShorthand(path, text, offset)) return 'name';
  return isInPattern(path, text, offset) ? 'taken' : 'property';
}

/** True if a server says of a place that it means one of some spans. */
async function leadsTo(
  means: Following['means'],
  { path, range }: Span,
  spans: readonly Span[],
): Promise<boolean> {
  const isAt = (one: Span) => (span: Span) => one.path === span.path && contains(span.range, one.range.start);
  const defined = (await means({ path, position: range.start })).filter(
    (one) => !(one.path === path && contains(one.range, range.start)),
  );
  return defined.some((one) => spans.some(isAt(one)));
}

/** Returns the steps with the new texts in the places that are known, and edits for those that are added. */
async function withEdits(
  workspace: Workspace,
  { proposal, spans }: Rename,
  added: readonly Span[],
  texts: ReadonlyMap<Span, string>,
): Promise<readonly ProposedStep[]> {
  const known = spans.values();
  const steps: Extract<ProposedStep, { kind: 'edit' }>[] = [];
  for (const step of proposal.steps) {
    if (step.kind !== 'edit') continue;
    const edits = step.edits.map((edit) => {
      const { value: span } = known.next();
      const text = span && texts.get(span);
      // The property that the server would keep is renamed too.
      return text !== undefined && isShorter(text, edit) ? { ...edit, newText: text } : edit;
    });
    steps.push({ ...step, edits });
  }
  for (const [path, own] of groupBy(added, (one) => one.path)) {
    const document = await workspace.read(path);
    const at = steps.findIndex(({ uri }) => workspace.fromUri(uri).path === path);
    const { hash } = document;
    const step = steps[at] ?? {
      kind: 'edit',
      uri: workspace.uri(path),
      encoding: 'utf-16',
      edits: [],
      seen: hash,
    };
    const encode = ({ line, character }: Position) => ({
      line,
      character: encodeColumn(document.line(line), character, step.encoding),
    });
    const more = own.map((span) => ({
      range: { start: encode(span.range.start), end: encode(span.range.end) },
      newText: texts.get(span) ?? '',
    }));
    const edited = { ...step, edits: [...step.edits, ...more] };
    if (at < 0) steps.push(edited);
    else steps[at] = edited;
  }
  return steps;
}

function isShorter(text: string, { newText }: ProposedEdit): boolean {
  return text.length < newText.length && newText.endsWith(`: ${text}`);
}
