import path from 'node:path';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { folderMentions, pathMentions } from '../../source-text/paths/path-mentions.ts';
import {
  type ResolutionContext,
  resolvesTo,
  type TargetPath,
  withoutEnding,
} from '../../source-text/paths/path-resolution.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { checkMentions } from './check-mentions.ts';
import { type FileReferences, isTarget, type Mentioned, toReference } from './file-mentions.ts';

/** Finds what names a file, or anything in a folder, from outside it. Comments do not count. */
export async function findFileReferences(
  context: ToolContext,
  targets: readonly TargetPath[],
  call: Call,
  /** Selects the other files that are searched. */
  isWanted: (file: string) => boolean = () => true,
): Promise<FileReferences> {
  const { mentioned, doubts } = await mentionsOf(context, targets, call, isWanted);
  const checked = await checkMentions(context, targets, mentioned, call);
  return { references: checked.references, doubts: [...doubts, ...checked.doubts] };
}

/** Like `findFileReferences`, but by the spelling of paths alone, in a workspace that servers need not know. */
export async function fileReferencesByText(
  context: Pick<ToolContext, 'workspace'>,
  targets: readonly TargetPath[],
  call: Call,
): Promise<FileReferences> {
  const { mentioned, doubts } = await mentionsOf(context, targets, call);
  const references = mentioned.flatMap((one) => (one.byText ? [toReference(one, 'text')] : []));
  return { references, doubts };
}

async function mentionsOf(
  { workspace }: Pick<ToolContext, 'workspace'>,
  targets: readonly TargetPath[],
  call: Call,
  isWanted: (file: string) => boolean = () => true,
): Promise<{ readonly mentioned: readonly Mentioned[]; readonly doubts: readonly Doubt[] }> {
  const files = new Set(workspace.files());
  const mentioned: Mentioned[] = [];
  const doubts: Doubt[] = [];
  for (const target of targets) {
    const names = namesOf(target);
    const mentioning = await Promise.all(names.map((name) => workspace.mentioning(name, call)));
    const near = isFolderIndex(target) ? [...files].filter((file) => isNear(target.path, file)) : [];
    const all = [...new Set([...mentioning.flatMap((found) => found ?? []), ...near])].sort();
    const candidates = all.filter((file) => !isTarget(targets, file) && isWanted(file));
    const searched = candidates.slice(0, limits.fileReferences.files);
    if (candidates.length > searched.length) doubts.push(tooMany(candidates.length));
    for (const file of searched) {
      const document = await documentAt({ workspace }, file);
      if (!document) continue;
      mentioned.push(...mentionsIn(document, target, names, { roots: workspace.roots, known: files }));
    }
  }
  return { mentioned, doubts };
}

/** Returns the mentions in one text of paths that may resolve to a target. */
export function mentionsIn(
  document: Document,
  target: TargetPath,
  names: readonly string[],
  { roots, known }: { readonly roots: readonly string[]; readonly known: ReadonlySet<string> },
): Mentioned[] {
  const { path: from, text } = document;
  const resolution: ResolutionContext = { from, roots, isFile: (file) => known.has(file) };
  const nameless = isFolderIndex(target) && isNear(target.path, from) ? folderMentions(from, text) : [];
  return [...pathMentions(from, text, names), ...nameless].map((mention) => ({
    document,
    mention,
    byText: resolvesTo(mention, target, resolution),
  }));
}

/** Returns the words that name a file: its name without extension, and that of its folder if it is the folder's index. */
export function namesOf({ path: file, isFolder }: TargetPath): string[] {
  if (isFolder) return [path.basename(file)];
  const stem = path.basename(withoutEnding(file));
  const names = stem.startsWith('_') && /\.(?:scss|sass)$/.test(file) ? [stem, stem.slice(1)] : [stem];
  return folderIndex.test(stem) ? [...names, path.basename(path.dirname(file))] : names;
}

const folderIndex = /^(?:index|__init__|mod)$/;

function isFolderIndex({ path: file, isFolder }: TargetPath): boolean {
  return !isFolder && /^(?:index|__init__)$/.test(path.basename(withoutEnding(file)));
}

/** Returns whether a file can name the folder of another by dots alone: it is in it, or below. */
function isNear(target: string, file: string): boolean {
  return file.startsWith(`${path.dirname(target)}${path.sep}`);
}

function tooMany(count: number): Doubt {
  const { files } = limits.fileReferences;
  return { kind: 'capped', detail: `${count} files may name it; only ${files} were searched.` };
}
