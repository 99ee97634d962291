import path from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Place } from '../../core/question.ts';
import {
  conditionsAround,
  conditionsOfModule,
  mayBeSetByBuild,
} from '../../source-text/enclosing/rust-conditions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/**
 * Explains an empty answer about code of Rust that is compiled under conditions only, instead of what else might explain it:
 * trust helps only where a build script may set a condition.
 */
export async function withConditions(
  context: ToolContext,
  place: Place,
  doubts: readonly Doubt[],
): Promise<readonly Doubt[]> {
  const conditions = await conditionsOf(context, place);
  const [first] = conditions;
  if (first === undefined) return doubts;
  const shown = conditions.map((one) => `#[cfg(${one.slice(0, limits.completions.detail)})]`).join(' and ');
  const detail = `The code here is under ${shown}, which the server may not compile here.`;
  const mayTrustHelp = conditions.some(mayBeSetByBuild);
  const others = doubts.filter(
    ({ kind }) => kind !== 'unverified' && (kind !== 'not_trusted' || mayTrustHelp),
  );
  return [{ kind: 'unverified', detail }, ...others];
}

async function conditionsOf(
  context: ToolContext,
  { path: file, position }: Place,
): Promise<readonly string[]> {
  const document = file.endsWith('.rs') ? await documentAt(context, file) : undefined;
  if (!document) return [];
  const own = conditionsAround(document.text, document.offsetAt(position));
  const all = [...own, ...(await conditionsOfFile(context, file, limits.overrides.rounds))];
  return all.filter((one) => !always.has(one));
}

/** What servers always compile. */
const always: ReadonlySet<string> = new Set(['test', 'debug_assertions']);

/** Returns the conditions of the modules that a file is, by their declarations in the files above it. */
async function conditionsOfFile(
  context: ToolContext,
  file: string,
  levels: number,
): Promise<readonly string[]> {
  if (levels === 0) return [];
  const isFolder = path.basename(file) === 'mod.rs';
  const name = isFolder ? path.basename(path.dirname(file)) : path.basename(file, '.rs');
  const folder = path.dirname(isFolder ? path.dirname(file) : file);
  const parents = ['mod.rs', 'lib.rs', 'main.rs', `../${path.basename(folder)}.rs`];
  for (const parent of parents.map((one) => path.resolve(folder, one))) {
    if (parent === file) continue;
    const document = await documentAt(context, parent);
    const found = document && conditionsOfModule(document.text, name);
    if (found) return [...found, ...(await conditionsOfFile(context, parent, levels - 1))];
  }
  return [];
}
