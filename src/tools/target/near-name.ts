import { encodeColumn, type Position } from '../../core/position.ts';
import { isCommented, isQuoted } from '../../source-text/keywords.ts';
import { distance, occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';

/** Where an agent says that a name is: a 0-based line, and perhaps a column in units that are not known. */
export interface GivenPosition {
  readonly line: number;
  readonly column?: number;
}

/**
 * Returns the places of a name that a position may mean if the name is not there: the likeliest first, then those
 * that are about as likely. Empty if the text does not contain the name.
 */
export function nearName(document: Document, name: string, given: GivenPosition): Position[] {
  const costs = nearbyLines
    .flatMap((offset) => placesOn(document, name, given.line + offset))
    .map((place) => ({ place, cost: costOf(document, name, place, given) }))
    .sort((a, b) => a.cost - b.cost);
  const [best] = costs;
  if (!best) return nearestInFile(document, name, given);
  const margin = best.cost >= cost.otherLine && best.cost < cost.aside ? cost.rival : 0;
  return costs.filter((one) => one.cost <= best.cost + margin).map(({ place }) => place);
}

/** Returns the first place of a name outside comments, else the first place. */
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

/** Returns the places of a name on a 0-based line, which need not exist. */
export function placesOn(document: Document, name: string, line: number): Position[] {
  if (line < 0 || line >= document.lineCount) return [];
  return occurrences(document.line(line), name).map((character) => ({ line, character }));
}

/** Offsets of lines to try: a line that is one too small was probably counted from 0, so the next line comes early. */
export const nearbyLines = [0, 1, -1, 2, -2] as const;

/** Costs of the mistakes that explain a position; one mistake is likelier than two. */
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

function costOf(document: Document, name: string, place: Position, { line, column }: GivenPosition): number {
  const text = document.line(place.line);
  const lines = lineCosts[place.line - line] ?? 0;
  const isNotCode = isCommented(text, place.character) || isQuoted(text, place.character);
  const comment = isNotCode ? (lines === 0 ? cost.commented : cost.commentedElsewhere) : 0;
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
  // An agent that does not know the column gives the first, which then says nothing.
  return (column <= 0 ? cost.nextTo : cost.aside) + Math.min(off / 10, cost.mostAside);
}

const encodings = ['utf-32', 'utf-8'] as const;

function nearestInFile(document: Document, name: string, { line }: GivenPosition): Position[] {
  const most = Math.max(line, document.lineCount - line);
  for (let off = 0; off <= most; off += 1) {
    const [first] = [...placesOn(document, name, line + off), ...placesOn(document, name, line - off)];
    if (first) return [first];
  }
  return [];
}
