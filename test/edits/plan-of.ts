import { asLspanError, type LspanError } from '../../src/core/errors.ts';
import type { PositionEncoding } from '../../src/core/position.ts';
import type { ProposedEdit, ProposedStep } from '../../src/core/proposal.ts';
import type { PlanOptions } from '../../src/edits/edits.ts';
import { makePlan } from '../../src/edits/plan/make-plan.ts';
import type { Plan } from '../../src/edits/plan.ts';
import { type MemoryTree, memoryTree, type Thing } from './memory-tree.ts';

/** Steps by relative paths, as short as they can be said. */
export type ShortStep =
  | {
      readonly edit: string;
      readonly edits: readonly ShortEdit[];
      readonly seen?: string;
      readonly encoding?: PositionEncoding;
    }
  | { readonly create: string; readonly text?: string; readonly ifThere?: 'refuse' | 'overwrite' | 'ignore' }
  | { readonly rename: string; readonly to: string; readonly ifThere?: 'refuse' | 'overwrite' | 'ignore' }
  | { readonly delete: string; readonly recursive?: boolean; readonly ifMissing?: 'refuse' | 'ignore' };

/** Start line and column, end line and column, text. */
export type ShortEdit = readonly [number, number, number, number, string];

/** Spells a short edit out. */
export function edit([line, character, endLine, endCharacter, newText]: ShortEdit): ProposedEdit {
  return { range: { start: { line, character }, end: { line: endLine, character: endCharacter } }, newText };
}

/** Plans steps over a tree. */
export function planOver(
  tree: MemoryTree,
  steps: readonly ShortStep[],
  options: Partial<PlanOptions> = {},
  earlier: readonly ShortStep[] = [],
): Plan {
  const spelled = (some: readonly ShortStep[]) => some.map((step) => spell(step, tree));
  const proposal = { steps: spelled(steps), confirm: [] };
  const after = spelled(earlier);
  return makePlan(proposal, { title: 'a test', after, ...options }, { view: tree.grounds, tree });
}

/** Plans steps over things, carries the operations out, and shows what they leave. */
export function leftBy(
  things: Readonly<Record<string, Thing>>,
  steps: readonly ShortStep[],
): Record<string, string> {
  const tree = memoryTree(things);
  tree.carryOut(planOver(tree, steps).operations);
  return tree.state();
}

/** The error that planning ends with. */
export function refusalOf(attempt: () => unknown): LspanError {
  try {
    attempt();
  } catch (thrown) {
    return asLspanError(thrown);
  }
  throw new Error('It was planned.');
}

function spell(step: ShortStep, tree: MemoryTree): ProposedStep {
  const uri = (file: string) => (file.includes(':') ? file : tree.uri(file));
  if ('edit' in step) {
    const { edits, encoding = 'utf-16', seen } = step;
    return {
      kind: 'edit',
      uri: uri(step.edit),
      encoding,
      edits: edits.map(edit),
      ...(seen !== undefined && { seen }),
    };
  }
  if ('create' in step)
    return {
      kind: 'create',
      uri: uri(step.create),
      text: step.text ?? '',
      ifThere: step.ifThere ?? 'refuse',
    };
  if ('rename' in step)
    return { kind: 'rename', from: uri(step.rename), to: uri(step.to), ifThere: step.ifThere ?? 'refuse' };
  return {
    kind: 'delete',
    uri: uri(step.delete),
    recursive: step.recursive ?? false,
    ifMissing: step.ifMissing ?? 'refuse',
  };
}
