import { LspanError } from '../../../core/errors.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import type { StoredIndex } from './index-store.ts';

/** An index, and the segment that has its rows. */
export interface ListedIndex extends StoredIndex {
  readonly segment: string;
}

/** Reads the list of an embedded store. Throws `refused` if another lspan wrote it in another form. */
export function readSegmentList(text: string | undefined): readonly ListedIndex[] {
  if (text === undefined) return [];
  const parsed: unknown = resultOrError(() => JSON.parse(text));
  if (
    parsed instanceof LspanError ||
    !isRecord(parsed) ||
    parsed.version !== 1 ||
    !Array.isArray(parsed.indexes)
  )
    throw unreadable();
  return parsed.indexes.map(readIndex);
}

/** Writes the list of an embedded store. */
export function writeSegmentList(indexes: readonly ListedIndex[]): string {
  return `${JSON.stringify({ version: 1, indexes }, null, 1)}\n`;
}

function readIndex(value: unknown): ListedIndex {
  if (!isRecord(value)) throw unreadable();
  const text = (name: string) => {
    const given = value[name];
    if (typeof given !== 'string') throw unreadable();
    return given;
  };
  const number = (name: string) => {
    const given = value[name];
    if (typeof given !== 'number') throw unreadable();
    return given;
  };
  const segment = text('segment');
  if (!/^[\w-]+\.sqlite$/.test(segment)) throw unreadable();
  return {
    ...{ segment, id: number('id'), repository: text('repository'), commit: text('commit') },
    ...{ time: text('time'), tool: text('tool'), documents: number('documents') },
    ...{ occurrences: number('occurrences'), unverified: number('unverified') },
  };
}

function unreadable(): LspanError {
  return new LspanError('refused', "The list of indexes is not in this lspan's format.", {
    nextStep: 'Remove the folder `index` in the state folder of lspan, and add the indexes again.',
  });
}
