import type { Difference } from './indexed-project.ts';

/** Why a use is in one answer only; each sentence stands in docs/indexes.md. `undefined` if nothing explains it. */
export function explain(difference: Difference): string | undefined {
  return explanations.find(({ holds }) => holds(difference))?.why;
}

const explanations: readonly { readonly why: string; holds(difference: Difference): boolean }[] = [
  {
    why: 'A name in quotation marks: the place of the index begins with the mark.',
    holds: ({ line, word }) => /^['"]/.test(word) || new RegExp(`['"]${word}['"]`).test(line),
  },
  {
    why: 'A comment: an index has no places there.',
    holds: ({ only, line }) => only === 'server' && /^(?:\*|\/\*|\/\/|#)|\{@link/.test(line),
  },
  {
    why: 'A constructor: the server lists where an object of the class is made.',
    holds: ({ only, ofLine }) => only === 'server' && /\b(?:__init__|constructor)\b/.test(ofLine),
  },
  {
    why: 'A callback without a name: the index takes the name beside the place.',
    holds: ({ only, ofLine }) => only === 'index' && /=>/.test(ofLine),
  },
  {
    why: 'Another name for it (`as`): the index takes both for one symbol.',
    holds: ({ only, ofLine }) => only === 'index' && /\bas\b/.test(ofLine),
  },
  {
    why: 'A module: the index has the start of its file, and `super`.',
    holds: ({ only, place, line }) => only === 'index' && (place.endsWith(':1:1') || /\bsuper::/.test(line)),
  },
  {
    why: 'Parameters of overloads, and methods of several implementations: the indexer takes those of one name for one symbol.',
    holds: ({ only, line }) => only === 'index' && /^(?:function|fn)\b|^\w+\??:/.test(line),
  },
  {
    why: 'Rust: an index has no places in macros and what they are given, no members of what comes from there, and no `Self`.',
    holds: ({ only, place }) => only === 'server' && /\.rs:/.test(place),
  },
  {
    why: 'A type and a value of one name: the server lists both.',
    holds: ({ only, line }) => only === 'server' && /^(?:export )?(?:type|const)\b/.test(line),
  },
  {
    why: 'A key of an object or a member of a type: the server also lists the members that it implements or stands for.',
    holds: ({ only, line, ofLine }) =>
      only === 'server' &&
      [line, ofLine].some((one) => /^\w+,$|[{,]\s*\w+\s*[,:}]|\bdeclare\b|^\w+\??:/.test(one)),
  },
  {
    why: 'A name that is bound in several places: the index has a symbol for each.',
    holds: ({ only, ofLine }) => only === 'server' && /^(?:class|def|except|from|import)\b/.test(ofLine),
  },
];

/** All explanations. */
export const sentences: readonly string[] = explanations.map(({ why }) => why);
