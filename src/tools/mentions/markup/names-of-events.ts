import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { eventMentions, isEmittedAt, stemOf, toKebab } from '../../../source-text/names/vue-events.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';
import type { Mention } from '../mentions.ts';
import { SpanSet } from '../span-set.ts';

/** Returns where components may listen to an event of another component of Vue, which no server joins with it. */
export async function namesOfEvents(
  context: ToolContext,
  { place: { path, position }, name, references }: SearchedSymbol,
  call: Call,
): Promise<readonly Mention[]> {
  const own = path.endsWith('.vue') ? await documentAt(context, path) : undefined;
  const start = own ? wordStart(own.text, own.offsetAt(position)) : 0;
  if (!own || !isEmittedAt(path, own.text, start)) return [];
  const others = new Set(
    [...context.workspace.files()].filter((file) => file.endsWith('.vue') && file !== path).map(stemOf),
  );
  const emitter = { file: path, isOther: (tag: string) => others.has(tag) };
  const known = await SpanSet.from(references);
  const found: Mention[] = [];
  const pace = new Pace();
  for (const file of await listeners(context, name, call)) {
    if (pace.isLate()) await pace.rest();
    const document = await documentAt(context, file);
    for (const part of document ? eventMentions(file, document.text, name, emitter) : []) {
      const range = {
        start: document?.positionAt(part.start) ?? position,
        end: document?.positionAt(part.end) ?? position,
      };
      if (!known.has(file, range.start))
        found.push({ path: file, range, standing: 'inside', reason: 'unverified' });
    }
  }
  return found;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && /[\w$]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

async function listeners({ workspace }: ToolContext, name: string, call: Call): Promise<readonly string[]> {
  const spellings = [name, toKebab(name), `on${name.charAt(0).toUpperCase()}${name.slice(1)}`];
  const files = await Promise.all(spellings.map((one) => workspace.mentioning(one, call)));
  const all = new Set(files.flatMap((some) => some ?? []));
  return [...all]
    .filter((file) => /\.(?:vue|html?|[cm]?[jt]sx?)$/.test(file))
    .slice(0, limits.mentions.files);
}
