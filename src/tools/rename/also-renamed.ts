import type { Doubt } from '../../core/doubts.ts';
import { comparePositions } from '../../core/position.ts';
import { isProtected } from '../../core/protected-paths.ts';
import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { DocTests } from '../../source-text/doc-tests.ts';
import { isPython } from '../../source-text/imports.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { type NamePath, pathInString, variableNamedBy } from '../../source-text/names/python-names.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { type Mention, namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { isSecret } from '../show/location.ts';
import { plural } from '../show/render-location.ts';
import { RenamedPaths } from './renamed-paths.ts';

/** The mentions that a rename changes beside the uses, and doubts about others. */
export interface AlsoRenamed {
  readonly mentions: ReadonlySet<Mention>;
  readonly doubts: readonly Doubt[];
}

/**
 * Returns the mentions that a rename also changes: those that were asked for, strings that must equal the name, and
 * samples of documentation that are run as tests if nothing else has the name. Where something else has it, those
 * samples beside a use are in doubt.
 */
export async function alsoRenamedOf(
  context: ToolContext,
  found: readonly Mention[],
  spans: readonly Span[],
  areWanted: boolean | undefined,
): Promise<AlsoRenamed> {
  const texts = found.filter(({ reason }) => reasons.has(reason));
  const isOnly = texts.length === found.length;
  const files = new Set(spans.map(({ path }) => path));
  const paths = await renamedPathsIn(context, texts, spans);
  const samples = new Samples(context);
  const renamed = new Set<Mention>();
  const unsure: Mention[] = [];
  for (const mention of texts) {
    const isTested = await samples.has(mention);
    const mayChange = isRenamed(context, mention);
    const isAlso =
      (mayChange && (areWanted || (isTested && isOnly) || paths.has(mention))) ||
      (await isOwnName(context, mention, spans));
    if (isAlso) renamed.add(mention);
    else if (isTested && files.has(mention.path)) unsure.push(mention);
  }
  return { mentions: renamed, doubts: testedDoubts(context, unsure) };
}

const reasons: ReadonlySet<Mention['reason']> = new Set(['comment', 'string', 'other_language']);

function testedDoubts({ workspace }: ToolContext, mentions: readonly Mention[]): Doubt[] {
  if (mentions.length === 0) return [];
  const what = plural('mention', mentions.length);
  const detail = `${what} in samples that run as tests may be uses, and stay: ${namePlaces(workspace, mentions)}`;
  return [{ kind: 'unverified', detail }];
}

/** The samples of documentation that run as tests, of the files that mention a name. */
class Samples {
  readonly #context: ToolContext;
  readonly #byFile = new Map<string, DocTests>();

  constructor(context: ToolContext) {
    this.#context = context;
  }

  async has({ reason, path, range }: Mention): Promise<boolean> {
    const document = reason === 'other_language' ? undefined : await documentAt(this.#context, path);
    if (!document) return false;
    const tests = this.#byFile.get(path) ?? new DocTests(path, document.text);
    this.#byFile.set(path, tests);
    return tests.has(document.offsetAt(range.start));
  }
}

/** Returns the mentions in paths of names such as `"shop.cart.total"` that lead to what is renamed. */
async function renamedPathsIn(
  context: ToolContext,
  texts: readonly Mention[],
  spans: readonly Span[],
): Promise<ReadonlySet<Mention>> {
  const paths = new RenamedPaths(context, spans);
  const renamed = new Set<Mention>();
  const strings = texts.filter(({ reason }) => reason === 'string');
  for (const [path, mentions] of groupBy(strings, (one) => one.path)) {
    const document = isPython(path) ? await documentAt(context, path) : undefined;
    if (!document) continue;
    for (const { mention, ...found } of pathsIn(document, mentions))
      if (await paths.has(found)) renamed.add(mention);
  }
  return renamed;
}

/** Returns those of the mentions that are in paths of names, but not in a longer text that quotes them. */
function pathsIn(
  document: Document,
  mentions: readonly Mention[],
): readonly (NamePath & { readonly mention: Mention })[] {
  const { path, text } = document;
  const found = mentions.flatMap((mention) => {
    const { start, end } = mention.range;
    const word = { start: document.offsetAt(start), end: document.offsetAt(end) };
    const own = pathInString(path, text, word);
    return own ? [{ ...own, mention }] : [];
  });
  found.sort((a, b) => a.quote - b.quote);
  const before = found.map(({ quote }) => quote - 1);
  const kinds = lexicalAt(path, text, before);
  return found.filter((_, index) => kinds[index] === 'code');
}

/** True for the string in `T = TypeVar("T")`, if the variable is renamed, which is in the same statement. */
async function isOwnName(
  context: ToolContext,
  { reason, path, range }: Mention,
  spans: readonly Span[],
): Promise<boolean> {
  const document = reason === 'string' ? await documentAt(context, path) : undefined;
  if (!document) return false;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const variable = variableNamedBy(path, document.text, word);
  if (variable === undefined) return false;
  const position = document.positionAt(variable);
  return spans.some((span) => span.path === path && comparePositions(span.range.start, position) === 0);
}

/** A search for a word must not touch files that decide what is run, or that may contain secrets. */
function isRenamed(context: ToolContext, mention: Mention): boolean {
  const root = context.workspace.rootOf(mention.path) ?? '';
  return !isProtected(mention.path.slice(root.length + 1)) && !isSecret(context, mention);
}
