import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, withinPart } from '../../core/call.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { asLspanError, type ErrorCode } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Hover } from '../../core/questions.ts';
import type { ToolContext } from '../run/tool.ts';
import type { SymbolDefinition } from '../target/symbol-definition.ts';
import type { Located } from '../target/target-fields.ts';
import { type FileUses, fileUses } from './file-uses.ts';
import type { InspectedPart, Inspection } from './inspection.ts';
import { type Callers, symbolCallers } from './symbol-callers.ts';
import { type Implementations, symbolImplementations } from './symbol-implementations.ts';
import { type SymbolProblems, symbolProblems } from './symbol-problems.ts';

/** The parts besides the declaration; `undefined` if a part was not asked for, or does not apply. */
interface InspectionParts {
  readonly hover: Part<Hover | undefined>;
  readonly problems: Part<SymbolProblems | undefined>;
  readonly callers: Part<Callers | undefined>;
  readonly implementations: Part<Implementations | undefined>;
  readonly references: Part<FileUses | undefined>;
}

/** Asks for all parts at once; none of them may take the time that is needed to answer with the others. */
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
    partOf(
      include?.includes(name) === false
        ? notIncluded
        : withinPart(call, { margin: limits.change.margin }, ask),
      call,
    );
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
