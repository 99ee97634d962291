import type { Content, Identity, Operation } from '../plan.ts';

/** By which a content is known, without the content. */
export type Footprint =
  | { readonly kind: 'file'; readonly hash: string; readonly mode: number; readonly size: number }
  | { readonly kind: 'link'; readonly target: string };

/** An operation without the contents that it deals with. */
export type StepAction =
  | { readonly kind: 'put'; readonly path: string; readonly before?: Footprint; readonly after: Footprint }
  | { readonly kind: 'remove'; readonly path: string; readonly before: Footprint }
  | { readonly kind: 'make_folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'remove_folder'; readonly path: string; readonly mode: number }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly identity: Identity };

/** An action and the names that it uses meanwhile, each known before it is first used. */
export interface Step {
  readonly action: StepAction;
  /** What will be put in place, from before the first step on; its name of then. */
  readonly staged?: string;
  /** What the step takes away, until all is done; its name of when the step is taken. */
  readonly kept?: string;
  /** Instead of that, a copy from before the first step on, or an empty file where there is nothing to take away. */
  readonly copied?: string;
  /** Whether names may be given by a second link, which never takes a name from anybody. */
  readonly links: boolean;
}

/** The action of an operation. */
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
