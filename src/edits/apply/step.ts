import type { Content, Identity, Operation } from '../plan.ts';

/** Identifies a content, without the content. */
export type Footprint =
  | { readonly kind: 'file'; readonly hash: string; readonly mode: number; readonly size: number }
  | { readonly kind: 'link'; readonly target: string };

/** An operation without its contents. */
export type StepAction =
  | { readonly kind: 'put'; readonly path: string; readonly before?: Footprint; readonly after: Footprint }
  | { readonly kind: 'remove'; readonly path: string; readonly before: Footprint }
  | { readonly kind: 'make_folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'remove_folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly identity: Identity };

/** An action and the temporary names that it uses, each recorded before its first use. */
export interface Step {
  readonly action: StepAction;
  /** The entry that will be put in place; its name before the first step. */
  readonly staged?: string;
  /** The entry that the step removes or replaces, until all is done; its name when the step is applied. */
  readonly kept?: string;
  /** Instead of `kept`, a copy made before the first step, or an empty file if the step removes nothing. */
  readonly copied?: string;
  /** True if names may be given by a hard link, which never replaces an existing entry. */
  readonly links: boolean;
}

/** Returns the action of an operation. */
export function actionOf(operation: Operation): StepAction {
  if (operation.kind === 'remove') return { ...operation, before: footprintOf(operation.before) };
  if (operation.kind !== 'put') return operation;
  const { kind, path, before, after } = operation;
  return { kind, path, after: footprintOf(after), ...(before && { before: footprintOf(before) }) };
}

function footprintOf(content: Content): Footprint {
  if (content.kind === 'link') return content;
  return { kind: 'file', hash: content.hash, mode: content.mode, size: content.bytes.length };
}
