import { type Call, until, within } from '../core/call.ts';
import { contains, type Range } from '../core/positions.ts';
import type { OutlineSymbol, Span } from '../core/questions.ts';
import type { World } from './tool.ts';

type Outline = readonly OutlineSymbol[];

/** The outlines of files, kept by content, to say in which symbol a line stands. */
export class Outlines {
  readonly #kept = new Map<string, { readonly hash: string; readonly outline: Promise<Outline> }>();

  /** The outline of a file's present text; empty where no server can tell. */
  async of(world: World, path: string, call: Call): Promise<Outline> {
    const { hash } = await world.workspace.read(path);
    const kept = this.#kept.get(path);
    if (kept?.hash !== hash) return this.#ask(world, path, hash, call);
    // Whoever asked first may have given up since, which is no reason for us to.
    return until(kept.outline, call.signal).catch(() => this.#ask(world, path, hash, call));
  }

  #ask(world: World, path: string, hash: string, call: Call): Promise<Outline> {
    const outline = world.backend.ask({ kind: 'outline', path }, call).then(({ answer, doubts }) => {
      if (doubts.length > 0) this.#kept.delete(path);
      return answer;
    });
    this.#kept.delete(path);
    this.#kept.set(path, { hash, outline });
    outline.catch(() => this.#kept.delete(path));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(oldest);
    }
    return outline;
  }
}

/** The enclosing symbol of each span, such as `Server.run`; left out rather than waited for long. */
export async function enclosingSymbols(
  world: World,
  spans: readonly Span[],
  call: Call,
): Promise<(span: Span) => string | undefined> {
  const inside = spans.filter(({ standing }) => standing === 'inside').map(({ path }) => path);
  const paths = [...new Set(inside)].slice(0, mostFiles);
  const outlines = new Map<string, Outline>();
  const asking = paths.map(async (path) => {
    const outline = await world.outlines.of(world, path, call).catch(() => []);
    outlines.set(path, outline);
  });
  await within(Promise.all(asking), patience, call.signal);
  return ({ path, range }) => enclosing(outlines.get(path) ?? [], range);
}

const mostKept = 500;
const mostFiles = 32;
const patience = 400;

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
