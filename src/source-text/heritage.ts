import { limits } from '../core/limits.ts';

/**
 * Returns the offsets of the names in the header of a class or an interface of a script, given the offset where its own
 * name ends: those of `B` and `C` in `class A<T> extends x.B<T> implements C {`.
 */
export function basesAfter(text: string, from: number): readonly number[] {
  const header = text.slice(from, from + limits.mentions.statement);
  const bases: number[] = [];
  let [depth, isExpected] = [0, false];
  for (const { 0: token, index } of header.matchAll(tokens)) {
    if ('<([{'.includes(token)) {
      if (token === '{' && depth === 0) break;
      depth += 1;
    } else if ('>)]}'.includes(token)) depth -= 1;
    else if (depth > 0) continue;
    else if (token === ',' || token === 'extends' || token === 'implements') isExpected = true;
    else if (isExpected && token !== '=>') {
      bases.push(from + index + token.lastIndexOf('.') + 1);
      isExpected = false;
    }
  }
  return bases;
}

/** An arrow is no bracket. */
const tokens = /=>|[<>()[\]{},]|[\p{ID_Start}$_][\p{ID_Continue}$.]*/gu;
