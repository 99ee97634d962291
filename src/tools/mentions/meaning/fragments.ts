import { basename } from 'node:path';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import type { FileProblems } from '../../../core/problems.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import { includesAsPart, mayBePart, mayNeedOthers } from '../../../source-text/c-fragments.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';

/** Knows which files of C are parts of others: a server that reads one alone takes its words for something else. */
export class Fragments {
  readonly #context: ToolContext;
  readonly #holders = new Map<string, Promise<string | undefined>>();

  constructor(context: ToolContext) {
    this.#context = context;
  }

  /** Returns a file that a file is a part of. */
  holderOf(path: string, call: Call): Promise<string | undefined> {
    const known = this.#holders.get(path) ?? this.#search(path, call);
    this.#holders.set(path, known);
    return known;
  }

  async #search(path: string, call: Call): Promise<string | undefined> {
    if (!mayBePart(path)) return undefined;
    const own = await documentAt(this.#context, path);
    if (!own || !mayNeedOthers(path, own.text)) return undefined;
    const mentioning = (await this.#context.workspace.mentioning(basename(path), call)) ?? [];
    // What is compiled by itself is understood by itself.
    if (mentioning.some((file) => basename(file) === 'compile_commands.json')) return undefined;
    for (const file of mentioning.filter(mayBePart).slice(0, limits.mentions.includers)) {
      const document = file === path ? undefined : await documentAt(this.#context, file);
      if (document && includesAsPart(document.text, path)) return file;
    }
    return undefined;
  }
}

/** Returns a doubt about an answer of the server at a place in a file that it read alone. */
export async function fragmentDoubts(context: ToolContext, path: string, call: Call): Promise<Doubt[]> {
  const holder = await new Fragments(context).holderOf(path, call);
  if (holder === undefined) return [];
  const { workspace } = context;
  const detail = `${workspace.show(path)} is a part of ${workspace.show(holder)}: the server reads it alone, and may take its names for something else.`;
  return [{ kind: 'unverified', detail }];
}

/** Returns a doubt about the problems of files that the server read alone: what is around them may explain them. */
export async function fragmentProblemDoubts(
  context: ToolContext,
  files: readonly FileProblems[],
  call: Call,
): Promise<Doubt[]> {
  const fragments = new Fragments(context);
  const some = files.filter(({ path, problems }) => problems.length > 0 && mayBePart(path));
  const parts: string[] = [];
  for (const { path } of some.slice(0, limits.mentions.includers))
    if ((await fragments.holderOf(path, call)) !== undefined) parts.push(context.workspace.show(path));
  if (parts.length === 0) return [];
  const detail = `Parts of other files, read alone: ${nameSome(parts)}. These may be no problems.`;
  return [{ kind: 'unverified', detail }];
}
