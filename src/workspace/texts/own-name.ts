import type { Place } from '../../core/question.ts';
import { isScript } from '../../source-text/imports.ts';
import { type OwnName, ownNameAt } from '../../source-text/names/own-names.ts';
import { wordAround } from '../../source-text/words.ts';
import type { Workspace } from '../workspace.ts';
import type { Document } from './document.ts';

/** Returns how a module of a script has the name at a place to itself. */
export async function ownNameIn(
  workspace: Pick<Workspace, 'read'>,
  { path, position }: Place,
): Promise<OwnName | undefined> {
  const document = isScript(path) ? await workspace.read(path).catch(() => undefined) : undefined;
  const word = document && wordAround(document.line(position.line), position.character);
  if (!word) return undefined;
  const offset = document.offsetAt({ ...position, character: word.start });
  const known = knownNames.get(document) ?? new Map<number, OwnName | undefined>();
  knownNames.set(document, known);
  if (!known.has(offset)) known.set(offset, ownNameAt(path, document.text, offset));
  return known.get(offset);
}

/** Several parts of one answer ask, and the text of a document stays the same. */
const knownNames = new WeakMap<Document, Map<number, OwnName | undefined>>();
