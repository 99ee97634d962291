import type { Doubt } from '../../core/doubts.ts';
import { comparePositions } from '../../core/position.ts';
import { isProtected } from '../../core/protected-paths.ts';
import type { Span } from '../../core/question.ts';
import { isInDocTest } from '../../source-text/doc-tests.ts';
import { linkAt } from '../../source-text/imports.ts';
import { pathInString, variableNamedBy } from '../../source-text/python-names.ts';
import type { Document } from '../../workspace/texts/document.ts';
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

/** True for the string in `T = TypeVar("T")`, and for a path of names such as `"shop.cart.total"`, if that is renamed. */
async function isOwnString(
  context: ToolContext,
  { reason, path, range }: Mention,
  spans: readonly Span[],
): Promise<boolean> {
  if (reason !== 'string') return false;
  const document = await documentAt(context, path);
  if (!document) return false;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const names = pathInString(path, document.text, word);
  if (names) return isRenamedIn(context, names, spans);
  const variable = variableNamedBy(path, document.text, word);
  if (variable === undefined) return false;
  const position = document.positionAt(variable);
  return spans.some((span) => span.path === path && comparePositions(span.range.start, position) === 0);
}

/** True if a rename changes what a module has at its top, or what a class has that is named after the module. */
async function isRenamedIn(
  context: ToolContext,
  names: readonly string[],
  spans: readonly Span[],
): Promise<boolean> {
  for (const { path, range } of spans) {
    const module = path.replace(/(?:\/__init__)?\.pyi?$/, '');
    const depth = names.findLastIndex((_, index) =>
      module.endsWith(`/${names.slice(0, index + 1).join('/')}`),
    );
    const document = depth < 0 ? undefined : await documentAt(context, path);
    if (!document) continue;
    const rest = names.slice(depth + 1);
    const offset = document.offsetAt(range.start);
    const isOfModule = /^\S/.test(document.line(range.start.line)) || linkAt(path, document.text, offset);
    if (rest.length === 0 ? isOfModule : rest.join('.') === classAround(document, offset)) return true;
  }
  return false;
}

/** Returns the name of the class at the top of a module whose method begins at an offset. */
function classAround({ text }: Document, offset: number): string | undefined {
  const before = text.slice(0, offset);
  if (!/\n[ \t]+(?:async\s+)?(?:def|class)\s+$/.test(before)) return undefined;
  return [...before.matchAll(/^(?:class\s+(\w+)|\S)/gm)].at(-1)?.[1];
}

/** A search for a word must not touch files that decide what is run, or that may contain secrets. */
function isRenamed(context: ToolContext, mention: Mention): boolean {
  const root = context.workspace.rootOf(mention.path) ?? '';
  return !isProtected(mention.path.slice(root.length + 1)) && !isSecret(context, mention);
}
