import { createHash } from 'node:crypto';
import { visibleLine } from '../../core/wording/visible.ts';
import { countedOpening, lineOpenings } from './answer-words.ts';

/**
 * Quotes a text that others wrote. If one of its lines could be taken for one of ours, the text is put between marks
 * made of its own hash, so that it cannot contain the mark that ends it.
 */
export function fenced(text: string): string {
  if (!looksLikeOurs.test(text)) return text;
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `<<${mark} not from lspan:\n${text}\n${mark}>>`;
}

/** Indents the further lines of a message of others; puts all on one line if one of them could be taken for ours. */
export function indented(message: string, indent: string): string {
  if (looksLikeOurs.test(message)) return visibleLine(message);
  return message.replace(/\n(\s*\|)?/g, (_, bar) => `\n${indent}${bar ? '\\u{7c}' : ''}`);
}

const openings = Object.values(lineOpenings).map((opening) => opening.replace(/\W/g, '\\$&'));

const looksLikeOurs = new RegExp(
  `^\\s*(?:${openings.join('|')}|${countedOpening}\\d|<<[0-9a-f]{8} |[0-9a-f]{8}>>)`,
  'm',
);
