import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol, Place } from '../../core/question.ts';
import { sharesPackage } from '../../source-text/packages/same-package.ts';
import type { TargetPath } from '../../source-text/paths/path-resolution.ts';
import type { ToolContext } from '../run/tool.ts';
import { type FileReference, type FileReferences, isTarget } from './file-mentions.ts';
import { globalsIn, importsOfModules } from './global-uses.ts';

/**
 * Finds where declarations of a file, or of the files in a folder, are used outside. Asks only about those that others
 * see without an import, as all of a package of Go: elsewhere, a file that uses another names it.
 */
export async function usesOfFiles(
  context: ToolContext,
  target: TargetPath,
  call: Call,
): Promise<FileReferences> {
  const globals = await globalsIn(context, target, call).catch((thrown) => ({
    places: [],
    modules: [],
    doubts: failedReply(thrown, call).doubts,
  }));
  const imports = await importsOfModules(context, target, globals.modules, call).catch((thrown) => ({
    references: [],
    doubts: failedReply(thrown, call).doubts,
  }));
  const used = await usesOfDeclarations(context, target, globals.places, call);
  return {
    references: [...imports.references, ...used.references],
    doubts: [...globals.doubts, ...imports.doubts, ...used.doubts],
  };
}

async function usesOfDeclarations(
  context: ToolContext,
  target: TargetPath,
  globals: readonly Place[],
  call: Call,
): Promise<FileReferences> {
  const doubts: Doubt[] = [];
  const places: Place[] = [...globals];
  for (const file of filesOfPackages(context, target)) {
    if (places.length > limits.fileReferences.symbols) break;
    const { answer, doubts: own } = await context.outlines
      .of(context, file, call)
      .catch((thrown) => failedReply(thrown, call));
    doubts.push(...own);
    places.push(...ownSymbols(answer).map(({ selection }) => ({ path: file, position: selection.start })));
  }
  if (places.length > limits.fileReferences.symbols) doubts.push(tooMany());
  const references: FileReference[] = [];
  for (const place of places.slice(0, limits.fileReferences.symbols)) {
    const reply = context.backend.ask({ kind: 'references', place }, call);
    const { answer, doubts: own } = await reply.catch((thrown) => failedReply(thrown, call));
    doubts.push(...own);
    const outside = answer.filter((span) => span.standing === 'inside' && !isTarget([target], span.path));
    references.push(...outside.map((span) => ({ ...span, certainty: 'server' as const })));
  }
  return { references, doubts };
}

/** Returns the files of such languages. A folder in Go is a package, which is imported as a whole. */
function filesOfPackages({ workspace }: ToolContext, target: TargetPath): string[] {
  const files = target.isFolder
    ? [...workspace.files()].filter((file) => isTarget([target], file))
    : [target.path];
  return files.filter((file) => sharesPackage(file) && !(target.isFolder && /\.go$/.test(file)));
}

/** Returns the symbols of a file; one that only contains others is not used by its name. */
function ownSymbols(outline: readonly OutlineSymbol[]): OutlineSymbol[] {
  return outline.flatMap((symbol) => (containers.has(symbol.kind) ? ownSymbols(symbol.children) : [symbol]));
}

const containers: ReadonlySet<string> = new Set(['module', 'namespace', 'package']);

function failedReply(thrown: unknown, call: Call): { answer: never[]; doubts: Doubt[] } {
  cancelSignalOf(call).throwIfAborted();
  return { answer: [], doubts: [{ kind: 'server_unavailable', detail: asLspanError(thrown).message }] };
}

function tooMany(): Doubt {
  const { symbols } = limits.fileReferences;
  return { kind: 'capped', detail: `Only ${symbols} of its symbols were searched for uses.` };
}
