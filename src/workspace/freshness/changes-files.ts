import path from 'node:path';
import type { Change } from '../workspace.ts';
import { excluding, ruleFile } from './repository-rules.ts';

/** Whether `files` of a workspace may differ after these changes: files came or went, or others are ignored now. */
export function changesFiles(changes: readonly Change[]): boolean {
  return changes.some(({ kind, path: file }) => kind !== 'changed' || isRules(file));
}

function isRules(file: string): boolean {
  return path.basename(file) === ruleFile || file.endsWith(path.join(path.sep, excluding));
}
