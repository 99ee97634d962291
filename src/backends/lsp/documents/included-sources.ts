import { basename } from 'node:path';
import { beginCall } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** Returns whether a text of the workspace, or another one that is open, may include one of some files by its name. */
export async function areIncluded(
  workspace: Workspace,
  paths: readonly string[],
  open: readonly string[],
): Promise<boolean> {
  for (const path of paths) if (await isIncluded(workspace, path, open)) return true;
  return false;
}

async function isIncluded(workspace: Workspace, path: string, open: readonly string[]): Promise<boolean> {
  const name = basename(path);
  using call = beginCall({ time: limits.includers.time });
  // Where that takes too long, one may.
  const mentioning = await workspace.mentioning(name, call).catch(() => undefined);
  if (mentioning === undefined || mentioning.length > limits.includers.files) return true;
  for (const file of new Set([...mentioning, ...open])) {
    const text = file === path ? undefined : (await workspace.read(file).catch(() => undefined))?.text;
    if (text !== undefined && namesFile(text, name)) return true;
  }
  return false;
}

/** True if a line of the preprocessor has the name of a file: a macro may stand for it. */
function namesFile(text: string, name: string): boolean {
  for (const [line] of text.matchAll(directives))
    for (let at = line.indexOf(name, 1); at !== -1; at = line.indexOf(name, at + 1))
      if ('"</\\'.includes(line[at - 1] as string)) return true;
  return false;
}

/** Directives, and lines that may continue one. */
const directives = /^[ \t]*(?:#[ \t]*(?:include|include_next|import|define)\b|["<]).*/gm;
