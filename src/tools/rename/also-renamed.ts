import type { Doubt } from '../../core/doubts.ts';
import { comparePositions } from '../../core/position.ts';
import { isProtected } from '../../core/protected-paths.ts';
import type { Span } from '../../core/question.ts';
import { isInDocTest } from '../../source-text/doc-tests.ts';
import { variableNamedBy } from '../../source-text/python-names.ts';
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
  spans: readonly Span[],
  areWanted: boolean | undefined,
): Promise<AlsoRenamed> {
  const texts = found.filter(({ reason }) => reasons.has(reason));
  const isOnly = texts.length === found.length;
  const files = new Set(spans.map(({ path }) => path));
  const renamed = new Set<Mention>();
  const unsure: Mention[] = [];
  for (const mention of texts) {
    const isTested = await isTestedSample(context, mention);
    const mayChange = isRenamed(context, mention);
    if ((mayChange && (areWanted || (isTested && isOnly))) || (await isOwnString(context, mention, spans)))
      renamed.add(mention);
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

async function isTestedSample(context: ToolContext, { reason, path, range }: Mention): Promise<boolean> {
  if (reason === 'other_language') return false;
  const document = await documentAt(context, path);
  return document !== undefined && isInDocTest(path, document.text, document.offsetAt(range.start));
}

/** True for the string in `T = TypeVar("T")`, if the variable is renamed. */
async function isOwnString(
  context: ToolContext,
  { reason, path, range }: Mention,
  spans: readonly Span[],
): Promise<boolean> {
  if (reason !== 'string') return false;
  const document = await documentAt(context, path);
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
