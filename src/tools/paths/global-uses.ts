import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol, Place } from '../../core/question.ts';
import { globalsOf, importsOfAmbient } from '../../source-text/packages/global-declarations.ts';
import type { TargetPath } from '../../source-text/paths/path-resolution.ts';
import { rangeAt } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type FileReference, type FileReferences, isTarget } from './file-mentions.ts';

/** What files of TypeScript or JavaScript declare for others that do not import them. */
export interface Globals {
  /** Names whose uses are uses of the files. */
  readonly places: readonly Place[];
  /** Names of ambient modules, as in `declare module '*.css'`. */
  readonly modules: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** Reads what the files of a target declare for everybody. */
export async function globalsIn(context: ToolContext, target: TargetPath, call: Call): Promise<Globals> {
  const files = target.isFolder
    ? [...context.workspace.files()].filter((file) => isTarget([target], file))
    : [target.path];
  const [places, modules, doubts]: [Place[], string[], Doubt[]] = [[], [], []];
  for (const file of files) {
    if (places.length > limits.fileReferences.symbols) break;
    const document = globalFile.test(file) ? await documentAt(context, file) : undefined;
    const globals = document && globalsOf(file, document.text);
    if (globals === undefined) continue;
    const outline = await context.outlines.of(context, file, call);
    doubts.push(...outline.doubts);
    const declared = outline.answer.filter((symbol) => globals === 'all' || isAmbient(symbol));
    modules.push(...declared.flatMap(({ name }) => quoted.exec(name)?.[1] ?? []));
    places.push(...(await usedPlaces({ context, target, file, call }, declared)));
  }
  return { places, modules, doubts };
}

const globalFile = /\.[cm]?[jt]sx?$/;
const quoted = /^["'](.+)["']$/;

function isAmbient({ name }: OutlineSymbol): boolean {
  return name === 'global' || quoted.test(name);
}

interface Declaring {
  readonly context: ToolContext;
  readonly target: TargetPath;
  readonly file: string;
  readonly call: Call;
}

/** Returns the names to ask about: of a declaration that others continue, such as `interface Window`, only its members. */
async function usedPlaces(declaring: Declaring, symbols: readonly OutlineSymbol[]): Promise<Place[]> {
  const places: Place[] = [];
  for (const symbol of symbols) {
    if (places.length > limits.fileReferences.symbols) break;
    const place = { path: declaring.file, position: symbol.selection.start };
    if (isAmbient(symbol) || (merging.has(symbol.kind) && (await isDeclaredElsewhere(declaring, place))))
      places.push(...(await usedPlaces(declaring, symbol.children)));
    else if (identifier.test(symbol.name)) places.push(place);
  }
  return places;
}

const merging: ReadonlySet<string> = new Set(['interface', 'namespace', 'module', 'class', 'enum']);
/** Servers also list what has no name, such as functions that are passed to others. */
const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

async function isDeclaredElsewhere({ context, target, call }: Declaring, place: Place): Promise<boolean> {
  const { answer } = await context.backend.ask({ kind: 'definition', place }, call);
  return answer.some((span) => !isTarget([target], span.path));
}

/** Finds the imports that lead to an ambient module of the target, which servers do not list as uses of its name. */
export async function importsOfModules(
  context: ToolContext,
  target: TargetPath,
  modules: readonly string[],
  call: Call,
): Promise<FileReferences> {
  const references: FileReference[] = [];
  for (const declared of new Set(modules)) {
    const files = (await context.workspace.mentioning(declared, call)) ?? [...context.workspace.files()];
    const searched = files.filter((file) => importing.test(file) && !isTarget([target], file));
    for (const file of searched.slice(0, limits.fileReferences.files)) {
      // One in each file is enough to know that the module is used.
      const found = await importIn(context, { target, file, declared }, call);
      if (found) references.push(found);
      if (references.length >= limits.fileReferences.shown) return { references, doubts: [] };
    }
    if (searched.length > limits.fileReferences.files) return { references, doubts: [tooMany(declared)] };
  }
  return { references, doubts: [] };
}

const importing = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;

async function importIn(
  context: ToolContext,
  {
    target,
    file,
    declared,
  }: { readonly target: TargetPath; readonly file: string; readonly declared: string },
  call: Call,
): Promise<FileReference | undefined> {
  const document = await documentAt(context, file);
  const [found] = document ? importsOfAmbient(file, document.text, declared) : [];
  if (!document || !found) return undefined;
  const place = { path: file, position: document.positionAt(found.offset) };
  const { answer } = await context.backend.ask({ kind: 'definition', place }, call);
  if (answer.some((span) => !isTarget([target], span.path))) return undefined;
  const certainty = answer.length > 0 ? 'server' : 'text';
  return { path: file, range: rangeAt(document, found.offset, found.length), standing: 'inside', certainty };
}

function tooMany(declared: string): Doubt {
  const { files } = limits.fileReferences;
  return {
    kind: 'capped',
    detail: `Only ${files} of the files that may import "${declared}" were searched.`,
  };
}
