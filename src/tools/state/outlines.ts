import type { Backend, Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, until, within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Range } from '../../core/position.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { BoundedCache } from '../../core/runtime/bounded-cache.ts';
import { EnclosingNames, showsEnclosing } from '../../source-text/enclosing/enclosing-names.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { Workspace } from '../../workspace/workspace.ts';

interface OutlineSource {
  readonly workspace: Workspace;
  readonly backend: Pick<Backend, 'ask'>;
}

type Outline = readonly OutlineSymbol[];

interface CachedOutline {
  readonly hash: string;
  /** The caller that asked for it. */
  readonly scope: string | undefined;
  readonly reply: Promise<Reply<Outline>>;
  outline?: Outline;
}

/** Caches the outlines of files by content, and what their layout shows. */
export class Outlines {
  readonly #kept = new BoundedCache<CachedOutline>({ count: limits.outlines.kept });
  readonly #layouts = new WeakMap<Document, { readonly last: number; readonly names: EnclosingNames }>();

  /** Returns the names around the lines of a document, up to the last one that is asked about. */
  layoutOf(document: Document, last: number): EnclosingNames {
    const kept = this.#layouts.get(document);
    if (kept && kept.last >= last) return kept.names;
    const names = new EnclosingNames(document, last);
    this.#layouts.set(document, { last, names });
    return names;
  }

  cached({ path, hash }: Document): Outline | undefined {
    const kept = this.#kept.peek(path);
    return kept?.hash === hash ? kept.outline : undefined;
  }

  /** Returns the outline of a file's current text. */
  async of(source: OutlineSource, path: string, call: Call): Promise<Reply<Outline>> {
    const { hash } = await source.workspace.read(path);
    const kept = this.#kept.peek(path);
    // A pending reply ends with the call of its caller, so another caller does not wait for it.
    const isUsable = kept?.hash === hash && (kept.outline !== undefined || kept.scope === call.scope);
    if (!isUsable) return this.#ask(source, path, hash, call);
    // The call that asked first may have been cancelled since; ask again.
    return until(kept.reply, cancelSignalOf(call)).catch(() => this.#ask(source, path, hash, call));
  }

  #ask(source: OutlineSource, path: string, hash: string, call: Call): Promise<Reply<Outline>> {
    const reply = source.backend.ask({ kind: 'outline', path }, call).then(async (replied) => {
      // The reply may have taken so long that it outlines a later text.
      const now = await source.workspace.read(path).catch(() => undefined);
      if (replied.doubts.length > 0 || now?.hash !== hash) this.#forget(path, kept);
      kept.outline = replied.answer;
      return replied;
    });
    const kept: CachedOutline = { hash, scope: call.scope, reply };
    this.#kept.set(path, kept);
    reply.catch(() => this.#forget(path, kept));
    return reply;
  }

  #forget(path: string, kept: CachedOutline): void {
    if (this.#kept.peek(path) === kept) this.#kept.delete(path);
  }
}

/**
 * Returns a function that names the symbol around a range, such as `Server.run`: from the text where that shows it, which
 * costs no request and is the same whatever was asked before; else from the outlines of the server, without slow ones.
 */
export async function enclosingSymbols(
  context: OutlineSource & { readonly outlines: Outlines },
  shown: readonly ShownFile[],
  call: Call,
): Promise<(path: string, range: Range) => string | undefined> {
  const names = new Map<string, EnclosingNames>();
  const outlines = new Map<string, Outline>();
  const asked: Document[] = [];
  for (const { document, lastLine } of shown) {
    const { path } = document;
    const cached = context.outlines.cached(document);
    if (showsEnclosing(path)) names.set(path, context.outlines.layoutOf(document, lastLine));
    else if (cached) outlines.set(path, cached);
    else asked.push(document);
  }
  const pending = asked
    .slice(0, limits.outlines.enclosing)
    .map(({ path }) => askOutline(context, path, outlines, call));
  if (pending.length > 0) await within(Promise.all(pending), limits.outlines.time, cancelSignalOf(call));
  return (path, range) =>
    shortName(names.get(path)?.around(range.start.line) ?? holderNames(outlines.get(path) ?? [], range));
}

/** A file of which places are shown. */
interface ShownFile {
  readonly document: Document;
  readonly lastLine: number;
}

async function askOutline(
  context: OutlineSource & { readonly outlines: Outlines },
  path: string,
  outlines: Map<string, Outline>,
  call: Call,
): Promise<void> {
  const { answer } = await context.outlines.of(context, path, call).catch(() => ({ answer: [] }));
  outlines.set(path, answer);
}

/** Leaves out symbols whose name is on the same line: the line of code shows it. */
function holderNames(outline: Outline, { start }: Range): readonly string[] {
  // A symbol does not enclose its own name.
  const encloses = (symbol: OutlineSymbol) =>
    contains(symbol.range, start) && !contains(symbol.selection, start);
  const holders: OutlineSymbol[] = [];
  for (let holder = outline.find(encloses); holder; holder = holder.children.find(encloses))
    holders.push(holder);
  const above = holders.filter(({ selection }) => selection.start.line !== start.line);
  return above.map(({ name }) => name);
}

function shortName(names: readonly string[]): string | undefined {
  return names.length > 1 ? shortChain(names).join('.') : names[0];
}

/**
 * Shortens a chain of callbacks to what names the place: the innermost one with a title, such as `it('adds') callback`,
 * and the symbols inside it. Callbacks without a title, such as `map() callback`, name nothing.
 */
function shortChain(names: readonly string[]): readonly string[] {
  const named = names.filter((name) => !name.endsWith('() callback'));
  const titled = named.findLastIndex((name) => name.endsWith(') callback'));
  return named.length === 0 ? names.slice(-1) : named.slice(Math.max(0, titled));
}
