import type { PositionEncoding, Range } from './position.ts';

/** One change of a text: replaces the range. */
export interface ProposedEdit {
  /** In the units of the step, in the text before any edit of the step; not validated yet. */
  readonly range: Range;
  readonly newText: string;
}

/** One step of a proposal. Steps apply in order, each to the result of the steps before it. */
export type ProposedStep =
  | {
      readonly kind: 'edit';
      readonly uri: string;
      /** Units of the columns. */
      readonly encoding: PositionEncoding;
      readonly edits: readonly ProposedEdit[];
      /** Hash of the document to which the positions refer, if known: another text is refused. */
      readonly seen?: string;
      /** Version of the document at the server. */
      readonly version?: number;
    }
  | { readonly kind: 'create'; readonly uri: string; readonly text: string; readonly ifThere: IfThere }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly ifThere: IfThere }
  | {
      readonly kind: 'delete';
      readonly uri: string;
      readonly recursive: boolean;
      readonly ifMissing: 'refuse' | 'ignore';
    };

/** Behaviour if a file exists already. */
export type IfThere = 'refuse' | 'overwrite' | 'ignore';

/** A proposed change, not yet compared with the disk. */
export interface Proposal {
  readonly steps: readonly ProposedStep[];
  /** Confirmations that its author requires first. */
  readonly confirm: readonly string[];
}
