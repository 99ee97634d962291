import { type Call, cancelSignalOf } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { isPython } from '../../source-text/imports.ts';
import { baseExpressionsAfter } from '../../source-text/members/python-fields.ts';
import { type Word, wordsOf } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { partsOfName } from '../target/symbol-path.ts';

/** A member whose classes are searched. */
export interface SearchedMember {
  readonly name: string;
  /** The places that are renamed. */
  readonly spans: readonly Span[];
  /** Files whose classes no server told. */
  readonly unread: Set<string>;
}

/** A class, the words of its header, and its members of the name. */
export interface Class {
  readonly path: string;
  readonly name: string;
  readonly symbol: OutlineSymbol;
  readonly header: readonly string[];
  /** The expressions of its bases, in Python. */
  readonly bases: readonly Word[];
  readonly renamed: readonly OutlineSymbol[];
  readonly kept: readonly OutlineSymbol[];
}

/** Returns the same for a class that was found twice. */
export function keyOfClass({ path, symbol }: Class): string {
  return keyOfPlace({ path, range: symbol.selection });
}

/** Returns the same for places that begin alike. */
export function keyOfPlace({ path, range: { start } }: Pick<Span, 'path' | 'range'>): string {
  return `${start.line}:${start.character} ${path}`;
}

/** True if a member of the class is renamed. */
export function isRenamed({ renamed }: Class): boolean {
  return renamed.length > 0;
}

/** Returns the classes of some files. */
export async function classesIn(
  context: ToolContext,
  paths: readonly string[],
  member: SearchedMember,
  call: Call,
): Promise<readonly Class[]> {
  const read = async (path: string) => {
    const document = await context.workspace.read(path);
    const { answer } = await context.outlines.of(context, path, call);
    return classesOf(document, answer, member);
  };
  const all = await Promise.all(
    paths.map((path) =>
      read(path).catch((thrown: unknown) => {
        cancelSignalOf(call).throwIfAborted();
        if (asLspanError(thrown).code !== 'not_supported') member.unread.add(path);
        return [];
      }),
    ),
  );
  return all.flat();
}

function classesOf(document: Document, level: readonly OutlineSymbol[], member: SearchedMember): Class[] {
  const { path } = document;
  const own = member.spans.filter((span) => span.path === path);
  return level.flatMap((symbol) => {
    const inner = classesOf(document, symbol.children, member);
    if (!holders.has(symbol.kind)) return inner;
    const members = symbol.children.filter((child) => partsOfName(child.name).at(-1) === member.name);
    const isOne = ({ selection }: OutlineSymbol) => own.some(({ range }) => contains(range, selection.start));
    const name = partsOfName(symbol.name).at(-1) ?? symbol.name;
    const renamed = members.filter(isOne);
    const kept = members.filter((one) => !isOne(one));
    return [{ path, name, symbol, ...headerOf(document, symbol), renamed, kept }, ...inner];
  });
}

const holders: ReadonlySet<string> = new Set(['class', 'interface', 'struct']);

/** Returns the words between the name of a class and its body, and its bases. */
function headerOf(
  document: Document,
  { selection, range, children }: OutlineSymbol,
): Pick<Class, 'header' | 'bases'> {
  const from = selection.end;
  const last = Math.min(
    range.end.line,
    from.line + limits.rename.headerLines,
    children[0]?.range.start.line ?? Infinity,
  );
  const lines = Array.from({ length: last - from.line + 1 }, (_, index) => document.line(from.line + index));
  const text = [lines[0]?.slice(from.character) ?? '', ...lines.slice(1)].join('\n');
  const header = wordsOf(text.split(/\{|:\s*(?:#.*)?$/m)[0] ?? '').map((word) => word.text);
  const bases = isPython(document.path) ? baseExpressionsAfter(document.text, document.offsetAt(from)) : [];
  return { header, bases };
}
