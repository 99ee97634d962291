import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { comparePositions } from '../../core/position.ts';
import { isProtected } from '../../core/protected-paths.ts';
import type { Span } from '../../core/question.ts';
import { DocTests } from '../../source-text/doc-tests.ts';
import { variableNamedBy } from '../../source-text/names/python-names.ts';
import { localScope } from '../mentions/local-scope.ts';
import { type Mention, namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { isSecret } from '../show/location.ts';
import { plural } from '../show/render-location.ts';

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
  { spans, areWanted }: { readonly spans: readonly Span[]; readonly areWanted: boolean | undefined },
  call: Call,
): Promise<AlsoRenamed> {
  const texts = found.filter(({ reason }) => reasons.has(reason));
  const isOnly = texts.length === found.length;
  const files = new Set(spans.map(({ path }) => path));
  const samples = new Samples(context);
  const isLocal = (await localScope(context, { references: spans }, call)) !== undefined;
  // A sample may name a parameter, but no variable of a function.
  const isOfSample = async (mention: Mention) => !isLocal || isKeyword(context, mention);
  const renamed = new Set<Mention>();
  const unsure: Mention[] = [];
  for (const mention of texts) {
    const isTested = (await samples.has(mention)) && (await isOfSample(mention));
    const mayChange = mayBeRenamed(context, mention);
    const isAlso =
      (mayChange && (areWanted || (isTested && isOnly))) || (await isOwnName(context, mention, spans));
    if (isAlso) renamed.add(mention);
    else if (isTested && files.has(mention.path)) unsure.push(mention);
  }
  return { mentions: renamed, doubts: testedDoubts(context, unsure) };
}

/** True for `size` in `draw(size=1)`. */
async function isKeyword(context: ToolContext, { path, range: { start, end } }: Mention): Promise<boolean> {
  const line = (await documentAt(context, path))?.line(start.line) ?? '';
  return /[(,]\s*$/.test(line.slice(0, start.character)) && /^\s*[=:](?!=)/.test(line.slice(end.character));
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
export function mayBeRenamed(context: ToolContext, mention: Span): boolean {
  const root = context.workspace.rootOf(mention.path) ?? '';
  return !isProtected(mention.path.slice(root.length + 1)) && !isSecret(context, mention);
}
