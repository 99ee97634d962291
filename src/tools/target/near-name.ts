import { encodeColumn, type Position } from '../../core/positions.ts';
import { isCommented, isQuoted } from '../../source-text/keywords.ts';
import { distance, occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** Where an agent says that a name stands: a 0-based line, and perhaps a column in whatever it counts. */
export interface Said {
  readonly line: number;
  readonly column?: number;
}

/**
 * The places of a name that may be meant by a position where it does not stand: the likeliest first, then those that
 * are about as likely. Empty where the name is nowhere.
 */
export function nearName(document: Document, name: string, said: Said): Position[] {
  const costs = nearbyLines
    .flatMap((offset) => placesOn(document, name, said.line + offset))
    .map((place) => ({ place, cost: costOf(document, name, place, said) }))
    .sort((a, b) => a.cost - b.cost);
  const [best] = costs;
  if (!best) return nearestInFile(document, name, said);
  const room = best.cost >= cost.otherLine && best.cost < cost.aside ? cost.rival : 0;
  return costs.filter((one) => one.cost <= best.cost + room).map(({ place }) => place);
}

/** The first place of a name in a document that is no comment, else the first at all. */
export function firstPlace(document: Document, name: string): Position | undefined {
  let commented: Position | undefined;
  for (let line = 0; line < document.lineCount; line += 1) {
    const places = placesOn(document, name, line);
    const place = places.find(({ character }) => !isCommented(document.line(line), character));
    if (place) return place;
    commented ??= places[0];
  }
  return commented;
}

/** The places of a name on a 0-based line, which need not exist. */
export function placesOn(document: Document, name: string, line: number): Position[] {
  if (line < 0 || line >= document.lineCount) return [];
  return occurrences(document.line(line), name).map((character) => ({ line, character }));
}

/** A line that is one too small was probably counted from 0, so the line after comes first. */
const nearbyLines = [0, 1, -1, 2, -2] as const;

/** What it costs to believe each mistake; to be off in one way is likelier than in two. */
const cost = {
  inOtherUnits: 1,
  nextTo: 2,
  inside: 3,
  otherLine: 10,
  rival: 6,
  commented: 10,
  commentedElsewhere: 25,
  aside: 30,
  mostAside: 9,
} as const;

const lineCosts: Readonly<Record<number, number>> = { 0: 0, 1: cost.otherLine, [-1]: 11, 2: 14, [-2]: 15 };

function costOf(document: Document, name: string, place: Position, { line, column }: Said): number {
  const text = document.line(place.line);
  const lines = lineCosts[place.line - line] ?? 0;
  const isNoCode = isCommented(text, place.character) || isQuoted(text, place.character);
  const comment = isNoCode ? (lines === 0 ? cost.commented : cost.commentedElsewhere) : 0;
  if (column === undefined) return lines + comment + place.character / text.length;
  const beginsThere = lines === 0 || place.character === column;
  const columns = columnCost(text, { start: place.character, text: name }, column);
  return lines + comment + (columns === 0 && !beginsThere ? cost.inside : columns);
}

function columnCost(line: string, word: { start: number; text: string }, column: number): number {
  const off = distance(word, column);
  if (off === 0) return 0;
  if (encodings.some((units) => encodeColumn(line, word.start, units) === column)) return cost.inOtherUnits;
  if (off <= 2) return cost.nextTo + off;
  // Who does not know the column says the first: it tells nothing then.
  return (column <= 0 ? cost.nextTo : cost.aside) + Math.min(off / 10, cost.mostAside);
}

const encodings = ['utf-32', 'utf-8'] as const;

function nearestInFile(document: Document, name: string, { line }: Said): Position[] {
  const most = Math.max(line, document.lineCount - line);
  for (let off = 0; off <= most; off += 1) {
    const [first] = [...placesOn(document, name, line + off), ...placesOn(document, name, line - off)];
    if (first) return [first];
  }
  return [];
}
