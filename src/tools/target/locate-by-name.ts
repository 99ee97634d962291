import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { toLineColumn } from '../../core/positions.ts';
import type { OutlineSymbol } from '../../core/questions.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { ambiguous, toCandidates } from './candidate.ts';
import { locateInWorkspace } from './locate-in-workspace.ts';
import { isNameOnly, matchOutline, type WantedSymbol } from './match-symbols.ts';
import { firstPlace } from './near-name.ts';
import { unverifiedError } from './no-answer.ts';
import { distinctSymbols } from './same-symbol.ts';
import { readSymbolPath } from './symbol-path.ts';
import type { Located, Strictness, Target } from './target-fields.ts';

/** Finds a symbol by name: in a file by its outline, then by its first use; without a file, in the workspace. */
export async function locateByName(
  context: ToolContext,
  target: Target,
  call: Call,
  { exact = false }: Strictness,
): Promise<Located> {
  const wanted: WantedSymbol = { ...readSymbolPath(target.symbol_name ?? ''), kind: target.symbol_kind };
  if (target.file_path === undefined) return locateInWorkspace(context, wanted, call, exact);
  const path = await context.workspace.resolve(target.file_path);
  const document = await context.workspace.read(path);
  const { answer: outline, doubts } = await outlineOf(context, path, call);
  const matches = matchOutline(outline, wanted, { path, shown: context.workspace.show(path) });
  const candidates = await distinctSymbols(context, await toCandidates(context, matches), call);
  const [only, ...others] = candidates;
  if (others.length > 0) throw await ambiguous(context, wanted.given, candidates, call);
  if (only) return { ...only, doubts: [] };
  if (!isNameOnly(wanted) || exact) throw notDefined(wanted, doubts, exact);
  return { ...firstUse(document, wanted.name), doubts };
}

/** Returns an empty outline if the server has none: it may still answer questions about names in the file. */
async function outlineOf(
  context: ToolContext,
  path: string,
  call: Call,
): Promise<Reply<readonly OutlineSymbol[]>> {
  return context.outlines.of(context, path, call).catch((thrown: unknown) => {
    if (asLspanError(thrown).code !== 'not_supported') throw thrown;
    return { answer: [], doubts: [] };
  });
}

function notDefined({ given, kind }: WantedSymbol, doubts: readonly Doubt[], exact: boolean): LspanError {
  const what = kind ? `${kind} ${JSON.stringify(given)}` : JSON.stringify(given);
  if (doubts.length > 0) return unverifiedError(`No definition of ${what} was found in this file`, doubts);
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
