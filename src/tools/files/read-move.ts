import path from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import type { FileMove } from '../../core/question.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import type { GivenEntry } from '../../workspace/gate/entry-at.ts';
import type { ToolContext } from '../run/tool.ts';

/** A move, and how its destination was read. */
interface Move {
  readonly move: FileMove;
  readonly adjusted: string | undefined;
  readonly doubts: readonly Doubt[];
}

/** Reads the source and the destination of a move. Throws if it is not possible. */
export async function readMove(context: ToolContext, oldPath: string, newPath: string): Promise<Move> {
  const { workspace } = context;
  const { path: from, kind, target } = await presentEntry(context, oldPath);
  refuseRoot(context, from, 'moved');
  const given = workspace.entry(newPath);
  const isInto = /[/\\]$/.test(newPath) || (given.kind === 'folder' && !isRespelling(from, given.path));
  const to = isInto ? path.join(given.path, path.basename(from)) : given.path;
  const entry = isInto ? workspace.entry(to) : given;
  if (to === from) throw refused(`${show(context, from)} is already there: both paths are the same.`);
  if (to.startsWith(`${from}${path.sep}`))
    throw refused(`${show(context, from)} cannot be moved into itself.`);
  if (entry.kind !== 'missing' && !isRespelling(from, to))
    throw refused(`${show(context, to)} already exists; nothing is overwritten.`);
  const adjusted = isInto ? `moved into the folder, as ${show(context, to)}` : undefined;
  return { move: { from, to, isFolder: kind === 'folder' }, adjusted, doubts: misledLink(from, to, target) };
}

/** Returns a doubt for a link that says a path from its own folder. */
function misledLink(from: string, to: string, target: string | undefined): Doubt[] {
  if (target === undefined || path.isAbsolute(target) || path.dirname(from) === path.dirname(to)) return [];
  const detail = 'It is a link by a path relative to its folder: from the new folder, it leads elsewhere.';
  return [{ kind: 'unexpected_edit', detail }];
}

/** Returns the entry at a given path. If there is none, the error names similar paths. */
export async function presentEntry({ workspace }: ToolContext, given: string): Promise<GivenEntry> {
  const entry = workspace.entry(given);
  if (entry.kind === 'missing') await workspace.resolve(given);
  if (entry.kind !== 'other' && entry.kind !== 'missing') return entry;
  throw new LspanError('invalid_input', `${quotePath(given)} is not a file, a link or a folder.`, {
    nextStep: 'Pass the path of a file or of a folder.',
  });
}

/** Refuses a root of the workspace, or a folder that contains one. */
export function refuseRoot({ workspace }: ToolContext, entry: string, what: 'moved' | 'deleted'): void {
  if (workspace.roots.some((root) => root === entry || root.startsWith(`${entry}${path.sep}`)))
    throw refused(`A workspace root cannot be ${what}.`);
}

/** Returns whether two names differ in case only, so that only the disk knows whether they are the same. */
function isRespelling(a: string, b: string): boolean {
  return a !== b && a.toLowerCase() === b.toLowerCase();
}

function show({ workspace }: ToolContext, file: string): string {
  return quotePath(workspace.show(file));
}

function refused(message: string): LspanError {
  return new LspanError('refused', message, { nextStep: 'Give another path.' });
}
