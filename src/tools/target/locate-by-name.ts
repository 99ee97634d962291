import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { toLineColumn } from '../../core/positions.ts';
import type { OutlineSymbol } from '../../core/questions.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { World } from '../run/tool.ts';
import { ambiguous, toCandidates } from './candidates.ts';
import { locateInWorkspace } from './locate-in-workspace.ts';
import { isBare, matchOutline, type Wanted } from './match-symbols.ts';
import { firstPlace } from './near-name.ts';
import { unverified } from './nothing-here.ts';
import { differentSymbols } from './same-symbol.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Located, Strictness, Target } from './target-fields.ts';

/** Finds a symbol by its name: in a file by its outline and then by its first use, else in the workspace. */
export async function locateByName(
  world: World,
  target: Target,
  call: Call,
  { exact = false }: Strictness,
): Promise<Located> {
  const wanted: Wanted = { ...readSymbolPath(target.symbol_name ?? ''), kind: target.symbol_kind };
  if (target.file_path === undefined) return locateInWorkspace(world, wanted, call, exact);
  const path = await world.workspace.resolve(target.file_path);
  const document = await world.workspace.read(path);
  const { answer: outline, doubts } = await outlineOf(world, path, call);
  const matches = matchOutline(outline, wanted, { path, shown: world.workspace.show(path) });
  const candidates = await differentSymbols(world, await toCandidates(world, matches), call);
  const [only, ...others] = candidates;
  if (others.length > 0) throw await ambiguous(world, wanted.given, candidates, call);
  if (only) return { ...only, doubts: [] };
  if (!isBare(wanted) || exact) throw notDefined(wanted, doubts, exact);
  return { ...firstUse(document, wanted.name), doubts };
}

/** A server that cannot outline a file may still know what stands at its names. */
async function outlineOf(world: World, path: string, call: Call): Promise<Reply<readonly OutlineSymbol[]>> {
  return world.outlines.of(world, path, call).catch((thrown: unknown) => {
    if (asLspanError(thrown).code !== 'not_supported') throw thrown;
    return { answer: [], doubts: [] };
  });
}

function notDefined({ given, kind }: Wanted, doubts: readonly Doubt[], exact: boolean): LspanError {
  const what = kind ? `${kind} ${JSON.stringify(given)}` : JSON.stringify(given);
  if (doubts.length > 0) return unverified(`No definition of ${what} was found in this file`, doubts);
  return new LspanError('not_found', `This file defines no ${what}.`, {
    nextStep: exact
      ? 'Leave `file_path` out, or give `line` and `character` of the name.'
      : 'Give the bare name for its first use in this file, or leave `file_path` out.',
  });
}

function firstUse(document: Document, name: string): Located {
  const position = firstPlace(document, name);
  if (!position) {
    throw new LspanError('not_found', `${JSON.stringify(name)} does not stand in this file.`, {
      nextStep: 'Leave `file_path` out to search the workspace, or see get_document_symbols.',
    });
  }
  const { line, character } = toLineColumn(position);
  const adjusted = `the first use of ${JSON.stringify(name)} in the file, at ${line}:${character}`;
  return { place: { path: document.path, position }, name, adjusted, doubts: [] };
}
