import type { Answering } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { type ProbedText, withProbes } from '../../source-text/members/python-probes.ts';
import type { ToolContext } from '../run/tool.ts';
import type { Class } from './holding-classes.ts';

/** A member that a base of a class of Python may have. */
export interface MemberOfBase {
  readonly holder: Class;
  /** Which of the bases of the class. */
  readonly base: number;
  readonly member: string;
}

/** Where a member of a base is defined; nowhere if there is none, or if the server does not know the base. */
export interface DefinedInBase extends MemberOfBase {
  readonly definitions: readonly Span[];
}

/** Asks the server what bases of classes have, under an overlay in which the classes ask for it themselves. */
export async function membersOfBases(
  { backend, workspace }: ToolContext,
  asked: readonly MemberOfBase[],
  call: Call,
): Promise<readonly DefinedInBase[]> {
  const texts = new Map<string, ProbedText>();
  const ordered: (MemberOfBase & { readonly index: number })[] = [];
  for (const [path, own] of groupBy(asked, ({ holder }) => holder.path)) {
    const document = await workspace.read(path);
    const sorted = own
      .filter((one) => /^\s*class\s+$/.test(beforeName(document.line(lineOf(one)), one)))
      .sort((a, b) => lineOf(a) - lineOf(b));
    const probes = sorted.map((one) => ({
      line: lineOf(one),
      expression: one.holder.bases[one.base]?.text ?? '',
      member: one.member,
    }));
    texts.set(path, withProbes(document.text, probes));
    ordered.push(...sorted.map((one, index) => ({ ...one, index })));
  }
  if (ordered.length === 0) return [];
  const overlaid = new Map([...texts].map(([path, { text }]) => [path, text] as const));
  return backend.overlay(overlaid, call, (answering) =>
    Promise.all(
      ordered.map(async ({ index, ...one }) => ({
        ...one,
        definitions: await definitionsOf(answering, texts, { path: one.holder.path, index }, call),
      })),
    ),
  );
}

function lineOf({ holder }: MemberOfBase): number {
  return holder.symbol.selection.start.line;
}

function beforeName(line: string, { holder }: MemberOfBase): string {
  return line.slice(0, holder.symbol.selection.start.character);
}

async function definitionsOf(
  answering: Answering,
  texts: ReadonlyMap<string, ProbedText>,
  { path, index }: { readonly path: string; readonly index: number },
  call: Call,
): Promise<readonly Span[]> {
  const position = texts.get(path)?.places[index];
  if (!position) return [];
  const { answer } = await answering.ask({ kind: 'definition', place: { path, position } }, call);
  return answer.map((span) => unmoved(span, texts.get(span.path)));
}

/** Returns where a place of an overlaid text is on the disk. */
function unmoved(span: Span, text: ProbedText | undefined): Span {
  if (!text) return span;
  const { start, end } = span.range;
  const back = ({ line, character }: Span['range']['start']) => ({ line: text.lineBefore(line), character });
  return { ...span, range: { start: back(start), end: back(end) } };
}
