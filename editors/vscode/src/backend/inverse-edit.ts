import type { Proposal, ProposedStep } from '../../../../src/core/proposal.ts';
import type { Content, Operation, Plan } from '../../../../src/edits/plan.ts';
import type { Workspace } from '../../../../src/workspace/workspace.ts';

/** Returns the change that takes a plan back. It is refused where a file has another text by then than the plan gave it. */
export function inverseOf({ operations }: Plan, workspace: Workspace): Proposal {
  const steps = operations.toReversed().flatMap((operation) => stepsBack(operation, workspace));
  return { steps, confirm: [] };
}

function stepsBack(operation: Operation, workspace: Workspace): readonly ProposedStep[] {
  if (operation.kind === 'move') {
    const [from, to] = [workspace.uri(operation.to), workspace.uri(operation.from)];
    return [{ kind: 'rename', from, to, ifThere: 'refuse' }];
  }
  const uri = workspace.uri(operation.path);
  if (operation.kind === 'remove')
    return [{ kind: 'create', uri, text: textOf(operation.before), ifThere: 'refuse' }];
  if (operation.kind !== 'put') return [];
  const { before, after } = operation;
  if (!before) return [{ kind: 'delete', uri, recursive: false, ifMissing: 'refuse' }];
  const end = endOf(textOf(after));
  const whole = { range: { start: { line: 0, character: 0 }, end }, newText: textOf(before) };
  const seen = after.kind === 'file' ? { seen: after.hash } : {};
  return [{ kind: 'edit', uri, encoding: 'utf-16', edits: [whole], ...seen }];
}

/** Returns the text of a file, without its byte order mark; empty for a link, which VS Code does not edit. */
export function textOf(content: Content): string {
  return content.kind === 'file' ? content.bytes.toString('utf8').replace(/^\uFEFF/, '') : '';
}

function endOf(text: string): { readonly line: number; readonly character: number } {
  const lines = text.split(/\r\n?|\n/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}
