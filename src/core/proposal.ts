import type { PositionEncoding, Range } from './positions.ts';

/** One change of a text: what stands in the range is replaced. */
export interface ProposedEdit {
  /** Counted as the step says, in the text before any edit of the same step; nothing is checked yet. */
  readonly range: Range;
  readonly newText: string;
}

/** One step of a proposal. Steps are taken in order, each on what the ones before it left. */
export type ProposedStep =
  | {
      readonly kind: 'edit';
      readonly uri: string;
      /** The units in which columns are counted. */
      readonly encoding: PositionEncoding;
      readonly edits: readonly ProposedEdit[];
      /** The hash of the document that the positions are about, where it is known: another text is refused. */
      readonly seen?: string;
      /** The version of the document as a server knows it. */
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

/** What happens when a file is already there. */
export type IfThere = 'refuse' | 'overwrite' | 'ignore';

/** What somebody wants changed, as it was said: not yet compared with the disk. */
export interface Proposal {
  readonly steps: readonly ProposedStep[];
  /** What its author wants confirmed before it is done. */
  readonly confirm: readonly string[];
}
