import path from 'node:path';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { folderMentions, pathMentions } from '../../source-text/path-mentions.ts';
import {
  type ResolutionContext,
  resolvesTo,
  type TargetPath,
  withoutEnding,
} from '../../source-text/path-resolution.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { checkMentions } from './check-mentions.ts';
import { type FileReferences, isGoal, type Mentioned, toReference } from './file-mentions.ts';

/** Finds what names a file, or anything in a folder, from outside it. Comments do not count. */
export async function findFileReferences(
  context: ToolContext,
  goals: readonly TargetPath[],
  call: Call,
  /** Which other files are looked into. */
  isWanted: (file: string) => boolean = () => true,
): Promise<FileReferences> {
  const { mentioned, doubts } = await mentionsOf(context, goals, call, isWanted);
  const confirmed = await checkMentions(context, goals, mentioned, call);
  return { references: confirmed.references, doubts: [...doubts, ...confirmed.doubts] };
}

/** The same by the spelling of paths alone, in a workspace that need not be what servers know. */
export async function fileReferencesByText(
  context: Pick<ToolContext, 'workspace'>,
  goals: readonly TargetPath[],
  call: Call,
): Promise<FileReferences> {
  const { mentioned, doubts } = await mentionsOf(context, goals, call);
  const references = mentioned.flatMap((one) => (one.byText ? [toReference(one, 'text')] : []));
  return { references, doubts };
}

async function mentionsOf(
  { workspace }: Pick<ToolContext, 'workspace'>,
  goals: readonly TargetPath[],
  call: Call,
  isWanted: (file: string) => boolean = () => true,
): Promise<{ readonly mentioned: readonly Mentioned[]; readonly doubts: readonly Doubt[] }> {
  const files = new Set(workspace.files());
  const mentioned: Mentioned[] = [];
  const doubts: Doubt[] = [];
  for (const goal of goals) {
    const names = namesOf(goal);
    const mentioning = await Promise.all(names.map((name) => workspace.mentioning(name, call)));
    const near = standsForFolder(goal) ? [...files].filter((file) => isNear(goal.path, file)) : [];
    const all = [...new Set([...mentioning.flatMap((found) => found ?? []), ...near])].sort();
    const candidates = all.filter((file) => !isGoal(goals, file) && isWanted(file));
    const looked = candidates.slice(0, limits.fileReferences.files);
    if (candidates.length > looked.length) doubts.push(tooMany(candidates.length));
    for (const file of looked) {
      const document = await documentAt({ workspace }, file);
      if (!document) continue;
      mentioned.push(...mentionsIn(document, goal, names, { roots: workspace.roots, known: files }));
    }
  }
  return { mentioned, doubts };
}

/** The mentions in one text of paths that may lead to a goal. */
export function mentionsIn(
  document: Document,
  goal: TargetPath,
  names: readonly string[],
  { roots, known }: { readonly roots: readonly string[]; readonly known: ReadonlySet<string> },
): Mentioned[] {
  const { path: from, text } = document;
  const around: ResolutionContext = { from, roots, isFile: (file) => known.has(file) };
  const isBeside = standsForFolder(goal) && isNear(goal.path, from);
  const nameless = isBeside ? folderMentions(from, text) : [];
  return [...pathMentions(from, text, names), ...nameless].map((mention) => ({
    document,
    mention,
    byText: resolvesTo(mention, goal, around),
  }));
}

/** The words by which texts name a file: without its ending, and its folder's name where it stands for that. */
export function namesOf({ path: file, isFolder }: TargetPath): string[] {
  if (isFolder) return [path.basename(file)];
  const stem = path.basename(withoutEnding(file));
  const names = stem.startsWith('_') && /\.(?:scss|sass)$/.test(file) ? [stem, stem.slice(1)] : [stem];
  return standing.test(stem) ? [...names, path.basename(path.dirname(file))] : names;
}

const standing = /^(?:index|__init__|mod)$/;

function standsForFolder({ path: file, isFolder }: TargetPath): boolean {
  return !isFolder && /^(?:index|__init__)$/.test(path.basename(withoutEnding(file)));
}

/** Whether a file can name the folder of another by dots alone: it is in it, or below. */
function isNear(goal: string, file: string): boolean {
  return file.startsWith(`${path.dirname(goal)}${path.sep}`);
}

function tooMany(count: number): Doubt {
  const { files } = limits.fileReferences;
  return { kind: 'capped', detail: `${count} files may name it, and only ${files} were looked into.` };
}
