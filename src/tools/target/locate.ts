import type { Call } from '../../core/call.ts';
import type { ToolContext } from '../run/tool.ts';
import { ambiguous } from './candidate.ts';
import { exactPosition } from './exact-position.ts';
import { locateById } from './locate-by-id.ts';
import { locateByName } from './locate-by-name.ts';
import { incomplete } from './position-errors.ts';
import { type PositionReading, readPosition } from './read-position.ts';
import { distinctSymbols } from './same-symbol.ts';
import type { Located, Strictness, Target } from './target-fields.ts';

/** Finds the place that an agent means, or throws an error that lists what it may have meant. */
export async function locate(
  context: ToolContext,
  target: Target,
  call: Call,
  strictness: Strictness = {},
): Promise<Located> {
  const { file_path, symbol_name, line, id } = target;
  if (id !== undefined) {
    const extra = Object.entries(target).find(([key, value]) => fields.includes(key) && value !== undefined);
    if (extra) throw incomplete(`An \`id\` says all: leave \`${extra[0]}\` out.`);
    return locateById(context, id, call, strictness);
  }
  if (file_path === undefined && line !== undefined) throw incomplete('A line needs its `file_path`.');
  if (line === undefined && target.character !== undefined) throw incomplete('A character needs its `line`.');
  if (symbol_name === undefined && line === undefined)
    throw incomplete('Say what is meant: `symbol_name`, or `file_path` with `line` and `character`.');
  if (file_path === undefined || line === undefined) return locateByName(context, target, call, strictness);
  const path = await context.workspace.resolve(file_path);
  const document = await context.workspace.read(path);
  if (strictness.exact) {
    const { position, name } = exactPosition(document, context.workspace.show(path), target, line);
    return { place: { path, position }, name, doubts: [] };
  }
  return chooseCandidate(context, path, readPosition(document, target, line), call);
}

/** If a name occurs at several places that are about as likely, they must mean the same symbol. */
async function chooseCandidate(
  context: ToolContext,
  path: string,
  { position, name, adjusted, rivals = [] }: PositionReading,
  call: Call,
): Promise<Located> {
  const located = { place: { path, position }, name, ...(adjusted ? { adjusted } : {}), doubts: [] };
  if (rivals.length === 0 || name === undefined) return located;
  const places = [position, ...rivals].map((each) => ({ place: { path, position: each }, name }));
  const different = await distinctSymbols(context, places, call);
  if (different.length > 1) throw await ambiguous(context, name, different, call);
  return located;
}

const fields: readonly string[] = ['file_path', 'symbol_name', 'symbol_kind', 'line', 'character'];
