import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol, Place } from '../../core/questions.ts';
import type { TargetPath } from '../../source-text/path-resolution.ts';
import { sharesPackage } from '../../source-text/same-package.ts';
import type { ToolContext } from '../run/tool.ts';
import { type FileReference, type FileReferences, isGoal } from './file-mentions.ts';

/**
 * Where what a file declares, or the files in a folder, is used outside. Asked only in languages whose files see each
 * other without an import: elsewhere whoever uses a file names it.
 */
export async function usesOfFiles(
  context: ToolContext,
  goal: TargetPath,
  call: Call,
): Promise<FileReferences> {
  const doubts: Doubt[] = [];
  const places: Place[] = [];
  for (const file of open(context, goal)) {
    if (places.length > limits.fileReferences.symbols) break;
    const { answer, doubts: own } = await context.outlines
      .of(context, file, call)
      .catch((thrown) => unknown(thrown, call));
    doubts.push(...own);
    places.push(...declared(answer).map(({ selection }) => ({ path: file, position: selection.start })));
  }
  if (places.length > limits.fileReferences.symbols) doubts.push(tooMany());
  const references: FileReference[] = [];
  for (const place of places.slice(0, limits.fileReferences.symbols)) {
    const asked = context.backend.ask({ kind: 'references', place }, call);
    const { answer, doubts: own } = await asked.catch((thrown) => unknown(thrown, call));
    doubts.push(...own);
    const beyond = answer.filter((span) => span.standing === 'inside' && !isGoal([goal], span.path));
    references.push(...beyond.map((span) => ({ ...span, certainty: 'server' as const })));
  }
  return { references, doubts };
}

/** The files of such languages. A folder is imported as a whole where it is a package. */
function open({ workspace }: ToolContext, goal: TargetPath): string[] {
  const isOpen = (file: string) => sharesPackage(file) && !(goal.isFolder && /\.go$/.test(file));
  const files = goal.isFolder ? [...workspace.files()].filter((file) => isGoal([goal], file)) : [goal.path];
  return files.filter(isOpen);
}

/** The symbols of a file itself: what only holds others is not used by its name. */
function declared(outline: readonly OutlineSymbol[]): OutlineSymbol[] {
  return outline.flatMap((symbol) => (around.has(symbol.kind) ? declared(symbol.children) : [symbol]));
}

const around: ReadonlySet<string> = new Set(['module', 'namespace', 'package']);

function unknown(thrown: unknown, call: Call): { answer: never[]; doubts: Doubt[] } {
  cancelSignalOf(call).throwIfAborted();
  return { answer: [], doubts: [{ kind: 'server_unavailable', detail: asLspanError(thrown).message }] };
}

function tooMany(): Doubt {
  const { symbols } = limits.fileReferences;
  return { kind: 'capped', detail: `The uses of only ${symbols} of its symbols were looked for.` };
}
