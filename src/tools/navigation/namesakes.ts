import { extname } from 'node:path';
import { type Call, withinShare } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Place } from '../../core/question.ts';
import { isScript } from '../../source-text/imports.ts';
import { wordAround } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type Candidate, describeCandidates, isInImport, toCandidates } from '../target/candidate.ts';
import { findByName } from '../target/find-by-name.ts';
import { readSymbolPath } from '../target/symbol-path.ts';

/**
 * Describes the symbols of the workspace that have the name at a place, where the server cannot tell which one it means:
 * those in files of its language.
 */
export async function namesakesAt(
  context: ToolContext,
  { path, position }: Place,
  call: Call,
): Promise<readonly object[]> {
  const document = await documentAt(context, path);
  const word = document && wordAround(document.line(position.line), position.character);
  if (word === undefined) return [];
  const found = await withinShare(call, limits.shares.servers, async (part) => {
    const files = await context.workspace.mentioning(word.text, part);
    const alike = (files ?? []).filter((file) => extname(file) === extname(path) || areScripts(file, path));
    const wanted = { ...readSymbolPath(word.text), kind: undefined };
    const { answer } = await findByName(context, wanted, alike, part);
    const candidates = await toCandidates(context, answer);
    const others = candidates.filter(({ place }) => !isOnLine(place, { path, position }));
    const declared: Candidate[] = [];
    for (const one of others.slice(0, limits.candidates.described)) {
      const holder = await documentAt(context, one.place.path);
      if (holder && !isInImport(holder, one.place.position)) declared.push(one);
    }
    return describeCandidates(context, declared, part);
  });
  return found ?? [];
}

function areScripts(one: string, other: string): boolean {
  return isScript(one) && isScript(other);
}

/** What stands on the line itself is at most a name that is given there to what cannot be resolved. */
function isOnLine(one: Place, other: Place): boolean {
  return one.path === other.path && one.position.line === other.position.line;
}
