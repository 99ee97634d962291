import { compareSpans } from '../../../core/compare-spans.ts';
import { limits } from '../../../core/limits.ts';
import type { HierarchyNode, Span } from '../../../core/question.ts';
import { type Json, list, object, text } from '../../../core/runtime/json.ts';
import { isC } from '../../../source-text/c-files.ts';
import { readKind } from '../convert/answers.ts';
import { answeredList, readEntries } from '../convert/entry.ts';
import { decodeSpans, type RawRange, type RawSpan, readRawRange } from '../convert/spans.ts';
import type { Translation } from '../convert/translation.ts';
import type { HierarchyStep, StepsBelow } from './walk-hierarchy.ts';

/** Describes how to read list entries: the item of each, and its call sites. */
export interface EntryShape {
  readonly noun: string;
  item(entry: unknown): unknown;
  /** Returns the URI of the document of the entry's ranges; absent if entries have no ranges. */
  sitesIn?(item: Json): unknown;
}

/** Reads a list of hierarchy items, sorts them by place and joins duplicates. */
export async function readHierarchy(
  raw: unknown,
  { noun, item, sitesIn }: EntryShape,
  translation: Translation,
): Promise<StepsBelow<Json>> {
  const what = { server: translation.server, noun };
  const entries = answeredList(what, raw);
  const read = (entry: unknown): RawStep | undefined => {
    const sent = object(item(entry));
    const step = readItem(sent);
    const document = sitesIn && text(sitesIn(sent));
    return step && { ...step, sites: document === undefined ? [] : readSites(entry, document) };
  };
  const found = readEntries(what, entries.slice(0, limits.results.total), read);
  const steps = await decodeSteps(found, translation);
  return { steps: joined(steps), isCut: entries.length > limits.results.total };
}

interface RawStep {
  readonly sent: Json;
  readonly name: string;
  readonly kind: HierarchyNode['kind'];
  readonly detail?: string;
  readonly place: RawSpan;
  readonly sites: readonly RawSpan[];
}

function readItem(sent: Json): Omit<RawStep, 'sites'> | undefined {
  const [name, uri, detail] = [oneLine(sent.name), text(sent.uri), oneLine(sent.detail)];
  const range = readRawRange(sent.selectionRange) ?? readRawRange(sent.range);
  if (name === undefined || uri === undefined || range === undefined) return undefined;
  return { sent, name, kind: readKind(sent.kind), place: { uri, range }, ...(detail ? { detail } : {}) };
}

/** Shortens a name: some servers name an anonymous function by its text. */
function oneLine(value: unknown): string | undefined {
  return text(value)?.slice(0, limits.hierarchy.name).replace(/\s+/g, ' ').trim();
}

function readSites(entry: unknown, uri: string): readonly RawSpan[] {
  const ranges = list(object(entry).fromRanges).slice(0, limits.results.total);
  return ranges
    .map(readRawRange)
    .filter((range): range is RawRange => range !== undefined)
    .map((range) => ({ uri, range }));
}

async function decodeSteps(
  found: readonly RawStep[],
  translation: Translation,
): Promise<HierarchyStep<Json>[]> {
  const spans = await decodeSpans(
    translation,
    found.flatMap(({ place, sites }) => [place, ...sites]),
  );
  const isThere = await Promise.all(spans.map((span) => span && isOwnSite(span, translation)));
  let next = 0;
  return found.flatMap(({ sent, name, kind, detail, sites: own }) => {
    const from = next;
    next += 1 + own.length;
    const span = spans[from];
    const sites = spans.slice(from + 1, next).filter((_, index) => isThere[from + 1 + index]);
    if (span === undefined || (own.length > 0 && sites.length === 0)) return [];
    const node = {
      name: nameIn(name, span, kind, translation),
      kind,
      ...(detail ? { detail } : {}),
      span,
      sites: ordered(sites.filter((site) => site !== undefined)),
    };
    return [{ node, handle: sent }];
  });
}

/** False for a call site in a file that the server makes from the sources. */
async function isOwnSite(span: Span, translation: Translation): Promise<boolean> {
  const isGenerated = span.standing !== 'inside' && translation.isGenerated?.(span.path);
  return !isGenerated && isWhole(span, translation);
}

/**
 * False for a call site in C where no whole word stands: a server that knows functions by their name alone takes the
 * `main` of all programs for one, and gives the calls in all of them as if they were in one file.
 */
async function isWhole(
  { path, range: { start, end }, standing }: Span,
  { workspace }: Translation,
): Promise<boolean> {
  if (standing !== 'inside' || start.line !== end.line || !isC(path)) return true;
  const document = workspace.cached(path) ?? (await workspace.read(path).catch(() => undefined));
  const line = document?.line(start.line) ?? '';
  const isPart = (at: number) => /^\w\w$/.test(line.slice(Math.max(0, at - 1), at + 1));
  return /^[\w~:]/.test(line.slice(start.character)) && !isPart(start.character) && !isPart(end.character);
}

/** Shortens names that are a whole path, which some servers give to calls at the top of a file. */
function nameIn(name: string, { path }: Span, kind: string, { workspace }: Translation): string {
  if (name === '') return `(${kind})`;
  return name.length > 1 && path.startsWith(name) ? workspace.show(path) : name;
}

/** Sorts the steps and joins duplicates, with the call sites of both. */
function joined(steps: readonly HierarchyStep<Json>[]): readonly HierarchyStep<Json>[] {
  const sorted = [...steps].sort((a, b) => compareSpans(a.node.span, b.node.span));
  const kept: HierarchyStep<Json>[] = [];
  for (const step of sorted) {
    const last = kept.at(-1);
    if (!last || compareSpans(last.node.span, step.node.span) !== 0) kept.push(step);
    else
      kept[kept.length - 1] = {
        ...last,
        node: { ...last.node, sites: ordered([...last.node.sites, ...step.node.sites]) },
      };
  }
  return kept;
}

/** Sorts call sites and drops duplicates, which some servers send. */
function ordered(sites: readonly Span[]): readonly Span[] {
  const sorted = [...sites].sort(compareSpans);
  return sorted.filter((site, index) => index === 0 || compareSpans(sorted[index - 1] ?? site, site) !== 0);
}
