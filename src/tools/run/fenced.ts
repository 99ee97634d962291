import { createHash } from 'node:crypto';
import { visibleLine } from '../../core/wording/visible.ts';

/**
 * A text of several lines that others wrote, as it stands in an answer. Where one of its lines could be taken for one
 * of ours, it stands between marks made of its own hash, so that it cannot hold the one that ends it.
 */
export function fenced(text: string): string {
  if (!looksLikeOurs.test(text)) return text;
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 8);
  return `<<${mark} not from lspan:\n${text}\n${mark}>>`;
}

/** A message that others wrote, its further lines below the first; on one line where one of them could be taken for ours. */
export function indented(message: string, indent: string): string {
  if (looksLikeOurs.test(message)) return visibleLine(message);
  return message.replace(/\n(\s*\|)?/g, (_, bar) => `\n${indent}${bar ? '\\u{7c}' : ''}`);
}

const looksLikeOurs = /^\s*(?:May be incomplete \(|Read as: |Next: |… \d|<<[0-9a-f]{8} |[0-9a-f]{8}>>)/m;
