import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Hover } from '../../core/questions.ts';
import { inTime } from '../change/diagnostics-delta.ts';
import type { ToolContext } from '../run/tool.ts';
import type { SymbolDefinition } from '../target/symbol-definition.ts';
import type { Located } from '../target/target-fields.ts';
import { type FileUses, fileUses } from './file-uses.ts';
import type { InspectedPart, Inspection } from './inspection.ts';
import { type Callers, symbolCallers } from './symbol-callers.ts';
import { type Implementations, symbolImplementations } from './symbol-implementations.ts';
import { type SymbolProblems, symbolProblems } from './symbol-problems.ts';

/** What is told of a symbol beside its declaration; nothing where it was not asked for, or makes no sense. */
interface InspectionParts {
  readonly hover: Part<Hover | undefined>;
  readonly problems: Part<SymbolProblems | undefined>;
  readonly callers: Part<Callers | undefined>;
  readonly implementations: Part<Implementations | undefined>;
  readonly references: Part<FileUses | undefined>;
}

/** Asks for all parts at once; none of them may take the time in which the others are told. */
export async function inspectionParts(
  context: ToolContext,
  located: Located,
  declaring: Promise<SymbolDefinition>,
  include: readonly InspectedPart[] | undefined,
  call: Call,
): Promise<InspectionParts> {
  const { place } = located;
  const most = limits.inspect.callers;
  const isMeant = include !== undefined;
  const alone = include?.includes('references') === false;
  const part = <T>(name: InspectedPart, ask: (inner: Call) => Promise<Reply<T | undefined>>) =>
    partOf(include?.includes(name) === false ? unasked : inTime(call, 1, ask), call);
  const [hover, problems, callers, implementations, references] = await Promise.all([
    part('hover', (inner) => context.backend.ask({ kind: 'hover', place }, inner)),
    part('problems', (inner) => symbolProblems(context, place, declaring, inner)),
    part('callers', (inner) => symbolCallers(context, located, { most, alone }, inner)),
    part('implementations', (inner) =>
      symbolImplementations(context, { place, isMeant, most }, declaring, inner),
    ),
    part('references', (inner) => fileUses(context, located, inner)),
  ]);
  return { hover, problems, callers, implementations, references };
}

const unasked: Promise<Reply<undefined>> = Promise.resolve({ answer: undefined, doubts: [] });

/** The parts as an answer carries them. */
export function tellParts({ hover, problems, callers, implementations, references }: InspectionParts) {
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
    ...missing({ hover, problems, callers, implementations, references }),
  };
}

function missing(parts: InspectionParts): Pick<Inspection, 'not_available'> {
  const names = ['hover', 'problems', 'callers', 'implementations', 'references'] as const;
  const told = names.flatMap((part) => {
    const reason = parts[part].missing;
    return reason === undefined ? [] : [{ part, reason }];
  });
  return told.length > 0 ? { not_available: told } : {};
}

function answerOf<T>(part: Part<T>): T | undefined {
  return part.missing === undefined ? part.answer : undefined;
}

/** One part of an answer of several: what was asked for, or why it is missing. */
type Part<T> =
  | (Reply<T> & { readonly missing?: undefined })
  | { readonly missing: string; readonly doubts: readonly Doubt[] };

/** Waits for a part. That it fails is told in its place, and is no reason to go without the others. */
function partOf<T>(asked: Promise<Reply<T>>, call: Call): Promise<Part<T>> {
  return asked.catch((thrown: unknown) => {
    const { code, message } = asLspanError(thrown);
    // What ends the call ends all of it, and what nobody foresaw is never hidden.
    if (cancelSignalOf(call).aborted || code === 'internal') throw thrown;
    // What a server cannot do is no doubt of what the others say.
    if (code === 'not_supported') return { missing: message, doubts: [] };
    return { missing: message, doubts: [{ kind: kindOf[code] ?? 'server_unavailable', detail: message }] };
  });
}

const kindOf: Readonly<Partial<Record<ErrorCode, DoubtKind>>> = {
  timed_out: 'timed_out',
  starting: 'indexing',
  limit_exceeded: 'capped',
};
