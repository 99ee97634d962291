import { encodeColumn, type Position } from '../../../../core/position.ts';
import type { ProposedStep } from '../../../../core/proposal.ts';
import type { Rename, Span } from '../../../../core/question.ts';
import { groupBy } from '../../../../core/runtime/group-by.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';

/** The new text of every place that a rename changes. */
export type NewTexts = ReadonlyMap<Span, string>;

/** The old and the new name of a symbol. */
export interface Names {
  readonly oldName: string;
  readonly newName: string;
}

/**
 * Returns what every place becomes. At the places where modules exchange the name, both the property and the variable get the
 * new name: a variable that the server would keep (`size: area`) only if others in its file are renamed.
 */
export function textsOf(
  { proposal, spans }: Rename,
  added: readonly Span[],
  exchanged: ReadonlySet<Span>,
  isName: (span: Span) => boolean,
  { oldName, newName }: Names,
): NewTexts {
  const texts = new Map<Span, string>();
  const edits = proposal.steps.flatMap((step) => (step.kind === 'edit' ? step.edits : []));
  const changed = new Set(added.filter(isName).map(({ path }) => path));
  for (const [index, span] of spans.entries()) {
    const text = edits[index]?.newText ?? newName;
    const isWhole =
      (text === `${oldName}: ${newName}` && exchanged.has(span)) ||
      (text === `${newName}: ${oldName}` && changed.has(span.path));
    texts.set(span, isWhole ? newName : text);
  }
  for (const span of added)
    texts.set(span, isName(span) || exchanged.has(span) ? newName : `${oldName}: ${newName}`);
  return texts;
}

type TextStep = Extract<ProposedStep, { kind: 'edit' }>;

/** Returns the steps of a rename with new texts in the places that are known, and edits for those that are added. */
export async function withTexts(
  workspace: Workspace,
  { proposal, spans }: Rename,
  added: readonly Span[],
  texts: NewTexts,
): Promise<readonly ProposedStep[]> {
  const known = spans.values();
  const steps = proposal.steps.flatMap((step) => {
    if (step.kind !== 'edit') return [];
    const edits = step.edits.map((edit) => {
      const { value: span } = known.next();
      return { ...edit, newText: (span && texts.get(span)) ?? edit.newText };
    });
    return [{ ...step, edits }];
  });
  for (const [path, own] of groupBy(added, (one) => one.path)) {
    const document = await workspace.read(path);
    const at = steps.findIndex(({ uri }) => workspace.fromUri(uri).path === path);
    const step: TextStep = steps[at] ?? {
      kind: 'edit',
      uri: workspace.uri(path),
      encoding: 'utf-16',
      edits: [],
      seen: document.hash,
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
