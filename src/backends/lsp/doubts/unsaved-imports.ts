import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { PathMention } from '../../../source-text/paths/path-mention.ts';
import { pathMentions } from '../../../source-text/paths/path-mentions.ts';
import { withoutEnding } from '../../../source-text/paths/path-resolution.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { settingUp } from '../documents/file-interest.ts';
import { onDisk } from './unsaved-files.ts';

/**
 * Doubts that an answer is about the unsaved texts: the server's files use some in another language, such as
 * data that code imports, or its configuration does. The server can only read these from disk.
 */
export async function unsavedImportDoubts(
  { definition }: { readonly definition: ServerDefinition },
  workspace: Workspace,
  call: Call,
): Promise<readonly Doubt[]> {
  const { checksFilesAlone = false } = definition.diagnostics ?? {};
  const { otherLanguages = /(?:)/ } = definition.disk ?? {};
  if (workspace.unsaved().size === 0) return [];
  const setsUp = settingUp(definition);
  const isServed = (path: string) => languageOf(path, definition) !== undefined;
  const isProgram = definition.projects?.markers?.some(isServed) === true;
  const used: string[] = [];
  for (const unsaved of workspace.unsaved().keys()) {
    // Configuration is always doubted; served files only if the configuration is a program that loads them.
    if (setsUp(unsaved) || (isServed(unsaved) && !isProgram)) continue;
    const isImported = !checksFilesAlone && !isServed(unsaved) && otherLanguages.test(basename(unsaved));
    const mayUse = (path: string) =>
      setsUp(path) ? isServed(path) || !isServed(unsaved) : isImported && isServed(path);
    if (!workspace.isUnsavedAsOnDisk(unsaved) && (await isNamed(unsaved, workspace, mayUse, call)))
      used.push(unsaved);
  }
  return used.length === 0 ? [] : [onDisk(definition, workspace, used)];
}

/** Returns whether some file names another: anywhere with its extension, or in a path without it. */
async function isNamed(
  unsaved: string,
  workspace: Workspace,
  isMeant: (path: string) => boolean,
  call: Call,
): Promise<boolean> {
  const naming = await workspace.mentioning(basename(unsaved), call);
  if (naming?.some(isMeant)) return true;
  const stem = basename(withoutEnding(unsaved));
  for (const path of (await workspace.mentioning(stem, call)) ?? []) {
    if (!isMeant(path)) continue;
    const text = (workspace.cached(path) ?? (await workspace.read(path).catch(() => undefined)))?.text;
    if (text !== undefined && pathMentions(path, text, [stem]).some(isPath)) return true;
  }
  return false;
}

/** A bare word may mean anything, and a Python or Rust module is always of the same language. */
function isPath({ form, path }: PathMention): boolean {
  return form === 'path' || form === 'listed' ? path.includes('/') : form !== 'module' && form !== 'child';
}
