import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
/** Shorter pieces are in the sources for other reasons. */
const fewest = 8;

/** The texts in the sources, where a text over several lines is one. */
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join(root, 'src', name), 'utf8').replace(/['`]\s*\+\s*['`]/g, ''));

/** Whether lspan can print a message, in which `…` stands for what varies: one source has all its other parts. */
export function isPrinted(message: string): boolean {
  const parts = message.split('…').map((part) => part.trim());
  const told = parts.filter((part) => part.length >= fewest);
  return told.length > 0 && sources.some((source) => told.every((part) => holds(source, part)));
}

/** In a template, backticks are escaped. */
function holds(source: string, part: string): boolean {
  return source.includes(part) || source.includes(part.replaceAll('`', '\\`'));
}
