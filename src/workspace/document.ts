import type { Position } from '../core/positions.ts';

/** A file as last read: its text, cut into lines. */
export interface Document {
  readonly path: string;
  readonly text: string;
  /** Changes whenever the content does; equal for equal content. */
  readonly hash: string;
  readonly lineCount: number;
  /** The text of a 0-based line without its line ending; empty past the end. */
  line(index: number): string;
  /** The position clamped into the text. */
  clamp(position: Position): Position;
}
