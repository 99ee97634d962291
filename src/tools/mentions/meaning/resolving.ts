import type { Call } from '../../../core/call.ts';
import type { Span } from '../../../core/question.ts';
import { wordAround } from '../../../source-text/words.ts';
import type { PlausibleGuesses } from '../../../workspace/texts/plausible-guesses.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { ImportFollower } from '../import-follower.ts';
import type { ComponentProps } from '../markup/component-props.ts';
import { SpanSet } from '../span-set.ts';
import type { Expansions } from './expansions.ts';
import type { Fixtures } from './fixtures.ts';
import type { Fragments } from './fragments.ts';
import type { ImportedSymbol } from './imported-symbol.ts';
import type { OwnClass } from './own-class.ts';
import type { Relatives } from './relatives.ts';
import type { SearchedSymbol } from './searched-symbol.ts';
import type { UnresolvedImports } from './unresolved-imports.ts';

/** What is known about the uses of a symbol. */
export interface Knowledge {
  readonly known: SpanSet;
  readonly follower: ImportFollower;
}

/** What there is to find out what mentions of a symbol mean. */
export interface Resolving {
  readonly context: ToolContext;
  readonly symbol: SearchedSymbol;
  readonly known: SpanSet;
  readonly follower: ImportFollower;
  readonly imported: ImportedSymbol;
  readonly relatives: Relatives;
  readonly unresolved: UnresolvedImports;
  readonly fixtures: Fixtures;
  readonly props: ComponentProps;
  readonly ownClass: OwnClass;
  readonly fragments: Fragments;
  readonly guesses: PlausibleGuesses;
  readonly expansions: Expansions;
  readonly call: Call;
}

/** Returns the definitions that are not the mention itself. */
export async function othersThan(mention: Span, definitions: readonly Span[]): Promise<readonly Span[]> {
  const itself = await SpanSet.from([mention]);
  return definitions.filter((one) => !itself.meets(one));
}

/** True if the symbol is declared at the top of a file: it is imported, and not taken out of a value. */
export async function isAtTop({ context, symbol: { place } }: Resolving): Promise<boolean> {
  const document = await documentAt(context, place.path);
  const { line, character } = place.position;
  const word = document && wordAround(document.line(line), character);
  return word !== undefined && topLevel.test(document?.line(line).slice(0, word.start) ?? '');
}

/** Before the name on its line: a member of what one line declares has more before it. */
const topLevel =
  /^(?:(?:export|default|declare|abstract|async)\s+)*(?:const|let|var|function|class|interface|type|enum|namespace)\b[\s*]*$|^import\b|^export\s*(?:type\s*)?[{*]/;
