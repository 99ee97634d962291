import type { Backend, Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, until, within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Range } from '../../core/positions.ts';
import type { OutlineSymbol } from '../../core/questions.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Who is asked for outlines. */
interface OutlineSource {
  readonly workspace: Workspace;
  readonly backend: Pick<Backend, 'ask'>;
}

type Outline = readonly OutlineSymbol[];

interface Kept {
  readonly hash: string;
  /** Who asked for it. */
  readonly scope: string | undefined;
  readonly asked: Promise<Reply<Outline>>;
  outline?: Outline;
}

/** The outlines of files, kept by content, to say in which symbol a line stands. */
export class Outlines {
  readonly #kept = new BoundedCache<Kept>({ count: limits.outlines.kept });

  /** The outline of a document's text, if it is known. */
  known({ path, hash }: Document): Outline | undefined {
    const kept = this.#kept.peek(path);
    return kept?.hash === hash ? kept.outline : undefined;
  }

  /** The outline of a file's present text. */
  async of(source: OutlineSource, path: string, call: Call): Promise<Reply<Outline>> {
    const { hash } = await source.workspace.read(path);
    const kept = this.#kept.peek(path);
    // What has not been answered yet is bound by the time of who asked, which is nothing to another.
    const isUsable = kept?.hash === hash && (kept.outline !== undefined || kept.scope === call.scope);
    if (!isUsable) return this.#ask(source, path, hash, call);
    // Whoever asked first may have given up since, which is no reason for us to.
    return until(kept.asked, cancelSignalOf(call)).catch(() => this.#ask(source, path, hash, call));
  }

  #ask(source: OutlineSource, path: string, hash: string, call: Call): Promise<Reply<Outline>> {
    const asked = source.backend.ask({ kind: 'outline', path }, call).then(async (reply) => {
      // It may have been waited for so long that it is the outline of a later text.
      const now = await source.workspace.read(path).catch(() => undefined);
      if (reply.doubts.length > 0 || now?.hash !== hash) this.#forget(path, kept);
      kept.outline = reply.answer;
      return reply;
    });
    const kept: Kept = { hash, scope: call.scope, asked };
    this.#kept.set(path, kept);
    asked.catch(() => this.#forget(path, kept));
    return asked;
  }

  #forget(path: string, kept: Kept): void {
    if (this.#kept.peek(path) === kept) this.#kept.delete(path);
  }
}

/** Tells the enclosing symbol of a range in one of the documents, such as `Server.run`; left out rather than waited for long. */
export async function enclosingSymbols(
  context: OutlineSource & { readonly outlines: Outlines },
  documents: readonly Document[],
  call: Call,
): Promise<(path: string, range: Range) => string | undefined> {
  const outlines = new Map<string, Outline>();
  const asking = documents.slice(0, limits.outlines.enclosing).flatMap((document) => {
    const known = context.outlines.known(document);
    if (known) outlines.set(document.path, known);
    return known ? [] : [askOutline(context, document.path, outlines, call)];
  });
  if (asking.length > 0) await within(Promise.all(asking), limits.outlines.time, cancelSignalOf(call));
  return (path, range) => enclosing(outlines.get(path) ?? [], range);
}

async function askOutline(
  context: OutlineSource & { readonly outlines: Outlines },
  path: string,
  outlines: Map<string, Outline>,
  call: Call,
): Promise<void> {
  const asked = context.outlines.of(context, path, call).then(({ answer }) => answer);
  outlines.set(path, await asked.catch(() => []));
}

/** A holder whose name stands on the same line is left out: the line of code shows it. */
function enclosing(outline: Outline, range: Range): string | undefined {
  const holders: OutlineSymbol[] = [];
  for (let level = outline; ; ) {
    const holder = level.find((symbol) => contains(symbol.range, range.start) && !isName(symbol, range));
    if (!holder) break;
    holders.push(holder);
    level = holder.children;
  }
  const above = holders.filter(({ selection }) => selection.start.line !== range.start.line);
  return above.length > 0 ? above.map(({ name }) => name).join('.') : undefined;
}

/** A symbol does not stand in itself. */
function isName({ selection }: OutlineSymbol, { start }: Range): boolean {
  return contains(selection, start);
}
