import type { Doubt } from '../../../core/doubts.ts';
import { encodeColumn, type Position, type PositionEncoding } from '../../../core/position.ts';
import type { Place, Span } from '../../../core/question.ts';
import type { Json } from '../../../core/runtime/json.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** Dependencies of a row for converting questions and answers. */
export interface Translation {
  /** The server's id, for messages. */
  readonly server: string;
  readonly workspace: Workspace;
  readonly encoding: PositionEncoding;
  /** Adapts a symbol query to the server. */
  readonly wordQuery: (query: string) => string;
  readonly columnsBeyondLineEnd?: true;
  /** Returns whether the server reads this file itself and counts its byte order mark as a column. */
  readonly countsMark?: (path: string) => boolean;
  /** Returns whether the server made a file from the sources. */
  readonly isGenerated?: (path: string) => boolean;
  /** Returns whether the message of a diagnostic must not be shown. */
  readonly withholds?: (diagnostic: unknown) => boolean;
  /** Returns whether the text of what is defined there must not be shown; absent if all may be. */
  readonly isHidden?: (span: Span) => boolean;
  /** Diagnostics of the document exactly as the server sent them, if the question needs them. */
  readonly problems?: readonly unknown[];
  /** The state of documents at the server when it was asked, if the answer depends on it. */
  readonly told?: {
    version(path: string): number | undefined;
    /** Returns whether a file has changed since. */
    isOld(path: string): boolean;
  };
  /** Counts places that are left out; absent where copies in other worktrees are not what is asked for. */
  readonly leftOut?: LeftOutPlaces | undefined;
}

/** Counts the places of an answer that lie in other worktrees in the workspace: copies that a server takes for its own. */
export class LeftOutPlaces {
  readonly #counts = new Map<string, number>();

  /** @param worktree Its top folder. */
  add(worktree: string, places = 1): void {
    this.#counts.set(worktree, (this.#counts.get(worktree) ?? 0) + places);
  }

  doubts({ server, workspace }: Pick<Translation, 'server' | 'workspace'>): readonly Doubt[] {
    return [...this.#counts].map(([worktree, count]) => {
      const places = count === 1 ? '1 place' : `${count} places`;
      const detail = `${server} also named ${places} in ${quotePath(workspace.show(worktree))}, another worktree: left out. To ask there, name a file in it.`;
      return { kind: 'other_worktree', server, detail, lasting: true };
    });
  }
}

/** Returns the document and position, as most requests need them. */
export async function positionParams(
  { path, position }: Place,
  { workspace, encoding }: Translation,
): Promise<Json> {
  const document = await workspace.read(path);
  return {
    textDocument: { uri: workspace.uri(path) },
    position: encodePosition(document, position, encoding),
  };
}

function encodePosition(
  document: Document,
  { line, character }: Position,
  encoding: PositionEncoding,
): Position {
  return { line, character: encodeColumn(document.line(line), character, encoding) };
}
