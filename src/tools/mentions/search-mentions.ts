import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { exportedNameAt } from '../../source-text/exports.ts';
import { isPython, isScript } from '../../source-text/imports.ts';
import { fixtureNameAt } from '../../source-text/names/pytest-fixtures.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { spanKey } from '../show/location.ts';
import { ImportFollower } from './import-follower.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { FoundMentions, FoundUse, Mention } from './mentions.ts';
import { searchDefault } from './search-default.ts';
import { type Search, searchName } from './search-name.ts';
import { withUsesInTexts } from './uses-in-texts.ts';

/**
 * Finds the mentions of a symbol's name that are not known uses, and says what they are. A mention in code that the
 * server resolves to the symbol is a use; one that it cannot resolve is `unverified`. The names under which the symbol is
 * exported, there and by those who import it, are searched in the same way.
 */
export async function searchMentions(
  context: ToolContext,
  symbol: SearchedSymbol,
  call: Call,
): Promise<FoundMentions> {
  const search: Search = { context, follower: new ImportFollower(context), call };
  const exported = new ExportedNames(context, symbol.name);
  let all = await searchName(search, symbol);
  await exported.add([...symbol.references, ...all.uses]);
  for (let name = exported.next(); name !== undefined; name = exported.next()) {
    const references = [...symbol.references, ...all.uses];
    const more =
      name === 'default'
        ? await searchDefault(search, { ...symbol, references }, exported.defaults)
        : await searchName(search, { ...symbol, name, references });
    await exported.add(more.uses);
    all = joined(all, more);
  }
  return withUsesInTexts(context, symbol, all);
}

/** Of another name, only uses and what may be one are of interest. */
function joined(all: FoundMentions, more: FoundMentions): FoundMentions {
  const places = new Set(all.uses.map(spanKey));
  const fresh = more.uses.filter((use) => !places.has(spanKey(use)));
  const found = more.found.filter(({ reason }) => reason === 'unverified' || reason === 'not_in_a_project');
  return {
    found: [...all.found, ...found.map((mention): Mention => ({ ...mention, isAlias: true }))],
    uses: [...all.uses, ...fresh.map((use): FoundUse => ({ ...use, isImported: true, isAlias: true }))],
    left: all.left + more.left,
    unasked: all.unasked + more.unasked,
  };
}

/** The names under which a symbol is exported, as they become known. */
class ExportedNames {
  readonly #context: ToolContext;
  readonly #known: Set<string>;
  readonly #waiting: string[] = [];
  /** Files whose default export the symbol is. */
  readonly defaults = new Set<string>();

  constructor(context: ToolContext, name: string) {
    this.#context = context;
    this.#known = new Set([name]);
  }

  /** Returns a name that was not searched yet; `default` again if another file exports it so. */
  next(): string | undefined {
    return this.#waiting.shift();
  }

  /** Notes the names under which uses of the symbol export it. */
  async add(uses: readonly Span[]): Promise<void> {
    const pace = new Pace();
    const { workspace } = this.#context;
    for (const [path, own] of groupBy(uses, (use) => use.path)) {
      if (pace.isLate()) await pace.rest();
      if (own[0]?.standing !== 'inside') continue;
      const document = workspace.cached(path) ?? (await documentAt(this.#context, path));
      if (!document) continue;
      const mayNameFixture = isPython(path);
      for (const { range } of own) {
        // A fixture of pytest may have a name of its own.
        if (mayNameFixture) this.#note(path, fixtureNameAt(document.text, document.offsetAt(range.start)));
        if (!mayExport(path, document.line(range.start.line))) continue;
        this.#note(path, exportedNameAt(path, document.text, document.offsetAt(range.start)));
      }
    }
  }

  #note(path: string, name: string | undefined): void {
    if (name === undefined) return;
    const isNew = name === 'default' ? !this.defaults.has(path) : !this.#known.has(name);
    if (!isNew || this.#known.size > limits.mentions.otherNames) return;
    if (name === 'default') this.defaults.add(path);
    else this.#known.add(name);
    if (!this.#waiting.includes(name)) this.#waiting.push(name);
  }
}

/** Returns whether a line may belong to an export: it says so, or is part of a list. */
function mayExport(path: string, line: string): boolean {
  return exporting.test(line) || (!isScript(path) && importing.test(line));
}

const exporting = /\bexports?\b|\bas\b|^[\s\p{ID_Continue}$,:{}()]*$/u;
/** What a script imports, only another statement exports. */
const importing = /\bimport\b/;
