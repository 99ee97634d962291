import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, withinPart } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { comparePositions, type Range } from '../../core/position.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { type FileProblems, severities } from '../../core/problems.ts';
import type { Hover, Place, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { groupInSlices } from '../../core/runtime/slices.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import { type FoundUses, findUses } from '../navigation/find-uses.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Diagnostic, toDiagnostic } from '../show/diagnostic.ts';
import { type Location, orderManySpans, spanKey, toLocations } from '../show/location.ts';
import { withCodeContext } from '../show/problem-context.ts';
import { problemDoubts } from '../show/problem-doubts.ts';
import { cachedAt, type SymbolDefinition } from '../target/symbol-definition.ts';
import type { Located } from '../target/target-fields.ts';
import type { InspectedPart, Inspection, UsedFile } from './inspection.ts';
import { type Callers, symbolCallers } from './symbol-callers.ts';

/** The parts besides the declaration; `undefined` if a part was not asked for, or does not apply. */
interface InspectionParts {
  readonly hover: Part<Hover | undefined>;
  readonly problems: Part<SymbolProblems | undefined>;
  readonly callers: Part<Callers | undefined>;
  readonly implementations: Part<Implementations | undefined>;
  readonly references: Part<FileUses | undefined>;
}

/** The question for the definition at the place, if it was asked, and what comes of it. */
interface Declaring {
  readonly asking: Promise<Reply<readonly Span[]>> | undefined;
  readonly declaring: Promise<SymbolDefinition>;
}

/** Asks for all parts at once; none of them may take the time that is needed to answer with the others. */
export async function inspectionParts(
  context: ToolContext,
  located: Located,
  { asking, declaring }: Declaring,
  include: readonly InspectedPart[] | undefined,
  call: Call,
): Promise<InspectionParts> {
  const { place, nameless } = located;
  // A symbol without a name has code and problems; nothing refers to it.
  const isLeftOut = (name: InspectedPart) =>
    include?.includes(name) === false || (nameless !== undefined && name !== 'problems');
  const most = limits.inspect.callers;
  const isMeant = include !== undefined;
  const time = { margin: limits.change.margin };
  const part = <T>(name: InspectedPart, ask: (inner: Call) => Promise<Reply<T | undefined>>) =>
    partOf(isLeftOut(name) ? notIncluded : withinPart(call, time, ask), call);
  // Callers are compared with the uses.
  const uses = isLeftOut('references')
    ? undefined
    : withinPart(call, time, (inner) => findUses(context, located, inner, asking));
  // Its parts report a failure.
  uses?.catch(() => {});
  const [hover, problems, callers, implementations, references] = await Promise.all([
    part('hover', (inner) => context.backend.ask({ kind: 'hover', place }, inner)),
    part('problems', (inner) => symbolProblems(context, place, declaring, inner)),
    part('callers', (inner) => symbolCallers(context, located, { most, uses }, inner)),
    part('implementations', (inner) =>
      symbolImplementations(context, { place, isMeant, most }, declaring, inner),
    ),
    part('references', async (inner) => (uses ? fileUses(context, await uses, inner) : notIncluded)),
  ]);
  return { hover, problems, callers, implementations, references };
}

const notIncluded: Promise<Reply<undefined>> = Promise.resolve({ answer: undefined, doubts: [] });

/** Converts the parts for an answer. */
export function toPartsData({ hover, problems, callers, implementations, references }: InspectionParts) {
  const text = answerOf(hover)?.text;
  const found = answerOf(problems);
  const called = answerOf(callers);
  const implemented = answerOf(implementations);
  const used = answerOf(references);
  return {
    ...(text === undefined ? {} : { hover: text }),
    ...(found ? { diagnostics: [...found.listed] } : {}),
    ...(called ? { calls: [...called.listed] } : {}),
    ...(implemented ? { implementations: [...implemented.listed] } : {}),
    ...(used ? { references: [...used.listed] } : {}),
    totals: {
      ...(found ? { diagnostics: found.total } : {}),
      ...(called ? { calls: called.total } : {}),
      ...(implemented ? { implementations: implemented.total } : {}),
      ...(used ? { references: used.total, files: used.files } : {}),
    },
    ...missingParts({ hover, problems, callers, implementations, references }),
  };
}

function missingParts(parts: InspectionParts): Pick<Inspection, 'not_available'> {
  const names = ['hover', 'problems', 'callers', 'implementations', 'references'] as const;
  const missing = names.flatMap((part) => {
    const reason = parts[part].missing;
    return reason === undefined ? [] : [{ part, reason }];
  });
  return missing.length > 0 ? { not_available: missing } : {};
}

function answerOf<T>(part: Part<T>): T | undefined {
  return part.missing === undefined ? part.answer : undefined;
}

type Part<T> =
  | (Reply<T> & { readonly missing?: undefined })
  | { readonly missing: string; readonly doubts: readonly Doubt[] };

/** Waits for a part. A failed part is reported in its place; the others are still returned. */
function partOf<T>(reply: Promise<Reply<T>>, call: Call): Promise<Part<T>> {
  return reply.catch((thrown: unknown) => {
    const { code, message } = asLspanError(thrown);
    // If the call has ended, all parts end; an internal error is never hidden.
    if (cancelSignalOf(call).aborted || code === 'internal') throw thrown;
    // If a server does not support one question, that casts no doubt on the other answers.
    if (code === 'not_supported') return { missing: message, doubts: [] };
    return { missing: message, doubts: [{ kind: kindOf[code] ?? 'server_unavailable', detail: message }] };
  });
}

const kindOf: Readonly<Partial<Record<ErrorCode, DoubtKind>>> = {
  timed_out: 'timed_out',
  starting: 'indexing',
  limit_exceeded: 'capped',
};

/** The uses of a symbol by file. */
interface FileUses {
  readonly listed: readonly UsedFile[];
  readonly files: number;
  readonly total: number;
}

/** Lists the uses of a symbol by file, with the first lines of each. */
async function fileUses(
  context: ToolContext,
  { answer, doubts }: FoundUses,
  call: Call,
): Promise<Reply<FileUses>> {
  const spans = await orderManySpans(answer);
  const files = [...(await groupInSlices(spans, ({ path }) => path)).values()];
  const shown = files.slice(0, limits.inspect.files).map((own) => own.slice(0, limits.inspect.linesOfFile));
  const lines = await toLocations(context, shown.flat(), call);
  const byFile = groupBy(lines, ({ file_path }) => file_path);
  const listed = [...byFile].map(([file_path, own], index) => ({
    file_path,
    count: files[index]?.length ?? own.length,
    lines: own,
  }));
  return { answer: { listed, files: files.length, total: spans.length }, doubts };
}

/** The implementations of a symbol. */
interface Implementations {
  readonly listed: readonly Location[];
  readonly total: number;
}

/** Finds what else implements a symbol; `undefined` if its kind cannot be implemented, unless `isMeant`. */
async function symbolImplementations(
  context: ToolContext,
  { place, isMeant, most }: { readonly place: Place; readonly isMeant: boolean; readonly most: number },
  declaring: Promise<SymbolDefinition>,
  call: Call,
): Promise<Reply<Implementations | undefined>> {
  const fits = (kind: SymbolKind | undefined) => isMeant || (kind !== undefined && implemented.has(kind));
  const cached = cachedAt(context, place);
  const ask = () => context.backend.ask({ kind: 'implementations', place }, call);
  const early = cached === undefined || fits(cached.kind) ? ask() : undefined;
  // A failure does not matter if the kind turns out to be another.
  early?.catch(() => {});
  const { symbol, definitions } = await declaring;
  if (!fits(symbol?.kind)) return { answer: undefined, doubts: [] };
  const { answer, doubts } = await (early ?? ask());
  const own = new Set(definitions.map(spanKey));
  const spans = (await orderManySpans(answer)).filter((span) => !own.has(spanKey(span)));
  const listed = await toLocations(context, spans.slice(0, most), call);
  return { answer: { listed, total: spans.length }, doubts };
}

const implemented: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'method']);

/** The problems of a symbol, the worst first. */
interface SymbolProblems {
  readonly listed: readonly Diagnostic[];
  readonly total: number;
}

/** Finds the problems that overlap a symbol; `undefined` for libraries, whose problems do not matter. */
async function symbolProblems(
  context: ToolContext,
  place: Place,
  declared: Promise<SymbolDefinition>,
  call: Call,
): Promise<Reply<SymbolProblems | undefined>> {
  // If the declaration is known to be here, the problems of this file are wanted.
  const early = cachedAt(context, place) ? context.backend.diagnostics([place.path], call) : undefined;
  // If finding the declaration fails, this result is never awaited.
  early?.catch(() => {});
  const { extents } = await declared;
  const own = extents.filter(({ standing }) => standing === 'inside');
  const paths = [...new Set(own.map(({ path }) => path))].sort();
  if (paths.length === 0) return { answer: undefined, doubts: [] };
  const isEarly = paths.length === 1 && paths[0] === place.path;
  const { answer, doubts } = await ((isEarly ? early : undefined) ??
    context.backend.diagnostics(paths, call));
  const files = answer.filter(({ path }) => paths.includes(path));
  const concerned = files.map((file): FileProblems => {
    const ranges = own.filter(({ path }) => path === file.path).map(({ range }) => range);
    const problems = file.problems.filter((problem) => ranges.some((range) => overlap(range, problem.range)));
    return { ...file, problems };
  });
  const sightings = await withCodeContext(
    context,
    concerned,
    paths.every((path) => path === place.path),
  );
  const found = { doubts: [...doubts, ...problemDoubts(context, files)] };
  // An empty list from a server that has not checked the text yet does not mean that there are no problems.
  if (sightings.length === 0 && files.some(({ state }) => state !== 'fresh'))
    return { ...found, answer: undefined };
  const worst = [...sightings].sort((a, b) => rank(a) - rank(b)).slice(0, context.page);
  const listed = worst.map((one) => toDiagnostic(context, one));
  return { ...found, answer: { listed, total: sightings.length } };
}

function rank({ problem }: Sighting): number {
  return severities.indexOf(problem.severity);
}

function overlap(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}
