import { within } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { comparePositions, type PositionEncoding, type Range } from '../../../core/position.ts';
import type { Completion, Place } from '../../../core/question.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { malformed } from '../convert/entry.ts';
import { readDocumentation } from '../convert/markup.ts';
import { decodeRange, readRawRange } from '../convert/spans.ts';
import { positionParams } from '../convert/translation.ts';
import { notOnDiskDoubts } from '../doubts/files-not-on-disk.ts';
import { unsaved } from '../doubts/unsaved-files.ts';
import { rankCompletions } from './rank-completions.ts';
import type { RequestSender, Row } from './row.ts';

/** Completions at a place: resolves only the best matches. */
export const completionsRow: Row<'completions'> = {
  method: 'textDocument/completion',
  capability: 'completionProvider',
  path: ({ place }) => place.path,
  params: async ({ place }, translation) => ({
    ...(await positionParams(place, translation)),
    context: { triggerKind: 1 },
  }),
  answer: async (raw, { place, most }, translation, line) => {
    const { server, workspace, encoding } = translation;
    const { entries, defaults, isIncomplete } = listOf(raw, server);
    const document = await workspace.read(place.path);
    const typed = { line: document.line(place.position.line), position: place.position, encoding };
    const { best, fitting, readable } = await rankCompletions(entries, defaults, typed, most);
    if (entries.length > 0 && readable === 0) throw malformed({ server, noun: 'completions' });
    const { items: resolved, unresolved } = await resolveCompletions(best, line);
    const items = unique(resolved.map((item) => readCompletion(item, document, encoding)));
    const total = fitting - (resolved.length - items.length);
    return { items, total, isIncomplete, unresolved };
  },
  doubts: ({ place }, definition, workspace) => listedDoubts(definition, place, workspace),
  count: ({ items }) => items.length,
};

/** Reads a CompletionList, a bare list, or null. */
function listOf(raw: unknown, server: string) {
  if (raw === null || raw === undefined) return { entries: [], defaults: {}, isIncomplete: false };
  if (Array.isArray(raw)) return { entries: raw, defaults: {}, isIncomplete: false };
  const { items, itemDefaults, isIncomplete } = object(raw);
  if (!Array.isArray(items)) throw malformed({ server, noun: 'completions' });
  return { entries: list(items), defaults: object(itemDefaults), isIncomplete: isIncomplete === true };
}

/** Removes duplicates: some servers list an item several times, once for each way that leads to it. */
function unique(items: readonly Completion[]): readonly Completion[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** Resolves omitted parts such as types and imports, a few at a time, within a limit; counts the rest. */
async function resolveCompletions(
  items: readonly Json[],
  line: RequestSender,
): Promise<{ readonly items: readonly Json[]; readonly unresolved: number }> {
  if (!line.options.some(({ resolveProvider }) => resolveProvider === true)) return { items, unresolved: 0 };
  const resolved = new Map<number, Json>();
  const queue = items.entries();
  let isLate = false;
  const work = async () => {
    for (const [index, item] of queue) {
      if (isLate) return;
      // An item that cannot be resolved is still listed.
      const whole = await line.send(item, 'completionItem/resolve').catch(() => undefined);
      if (whole !== undefined) resolved.set(index, { ...item, ...object(whole), label: item.label });
    }
  };
  const { inFlight, time } = limits.completions.resolve;
  await within(Promise.all(Array.from({ length: inFlight }, work)), time);
  isLate = true;
  const known = new Map(resolved);
  return {
    items: items.map((item, index) => known.get(index) ?? item),
    unresolved: items.length - known.size,
  };
}

/** Doubts that paths are missing: the server lists folders on disk, though it finds unsaved files by name. */
export async function listedDoubts(
  definition: ServerDefinition,
  { path, position }: Place,
  workspace: Workspace,
): Promise<readonly Doubt[]> {
  const held = workspace.unsaved();
  if (held.size === 0 || definition.disk?.imports !== 'folders') return [];
  const before = (await workspace.read(path)).line(position.line).slice(0, position.character);
  return inQuotes.test(before)
    ? unsaved(
        notOnDiskDoubts({ ...definition, disk: { ...definition.disk, imports: 'files' } }, workspace, held),
      )
    : [];
}

/** Matches text that ends inside a string, which may be a path; other strings are not distinguished. */
const inQuotes = /["'`][^"'`]*$/;

/** Reads one item with a known label. */
function readCompletion(item: Json, document: Document, encoding: PositionEncoding): Completion {
  // clangd marks items that add an include with a dot.
  const label =
    text(item.label)
      ?.replace(/^[\s•]+/, '')
      .trimEnd() ?? '';
  const { detail: beside, description } = object(item.labelDetails);
  const { signature, documentation } = splitSignature(readDocumentation(item.documentation));
  const optional = {
    kind: completionKinds[(number(item.kind) ?? 0) - 1],
    detail: joined(oneLine(beside), oneLine(item.detail)) ?? oneLine(signature),
    source: oneLine(description),
    documentation,
  };
  return {
    label: label.slice(0, limits.results.lineLength),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    isDeprecated: item.deprecated === true || list(item.tags).includes(deprecatedTag),
    isPreselected: item.preselect === true,
    insert: insertOf(item, label),
    additions: addedLines(list(item.additionalTextEdits), document, encoding),
  };
}

const deprecatedTag = 1;

const snippet = 2;

function insertOf({ textEdit, insertText, insertTextFormat }: Json, label: string): string {
  const whole = text(object(textEdit).newText) ?? text(insertText) ?? label;
  const written = whole.slice(0, limits.completions.text);
  return insertTextFormat === snippet ? plainSnippet(written) : written;
}

/** Splits off the signature, which some servers send only as a code block before the documentation. */
function splitSignature(whole: string | undefined): {
  readonly signature?: string | undefined;
  readonly documentation?: string | undefined;
} {
  const block = /^```(?!man|te?xt|plain)[^\n]*\n([\s\S]*?)\n```\s*(?:-{3,}\s*)?/.exec(whole ?? '');
  if (whole === undefined || block === null) return { documentation: whole };
  return { signature: block[1], documentation: whole.slice(block[0].length) || undefined };
}

/** The label detail is often the parameter list, and `detail` the return type. */
function joined(beside: string | undefined, detail: string | undefined): string | undefined {
  if (beside === undefined || detail?.includes(beside)) return detail;
  return detail === undefined ? beside : `${beside} ${detail}`;
}

function oneLine(value: unknown): string | undefined {
  const line = text(value)
    ?.slice(0, limits.completions.text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limits.results.lineLength);
  return line === '' ? undefined : line;
}

/** In LSP order, where numbers start at 1. */
const completionKinds = [
  'text',
  'method',
  'function',
  'constructor',
  'field',
  'variable',
  'class',
  'interface',
  'module',
  'property',
  'unit',
  'value',
  'enum',
  'keyword',
  'snippet',
  'color',
  'file',
  'reference',
  'folder',
  'enum member',
  'constant',
  'struct',
  'event',
  'operator',
  'type parameter',
] as const;

/** Returns the lines that edits add to a document; an extended import counts as a new line. */
function addedLines(
  edits: readonly unknown[],
  document: Document,
  encoding: PositionEncoding,
): readonly string[] {
  const read = edits.slice(0, limits.completions.edits).flatMap((edit) => {
    const { range, newText } = object(edit);
    const [where, written] = [readRawRange(range), text(newText)];
    if (where === undefined || written === undefined) return [];
    return [
      { range: decodeRange(document, encoding, where), text: written.slice(0, limits.completions.text) },
    ];
  });
  read.sort((a, b) => comparePositions(a.range.start, b.range.start));
  const groups: Edit[][] = [];
  for (const edit of read) {
    const last = groups.at(-1);
    if (last && (last.at(-1)?.range.end.line ?? -1) >= edit.range.start.line) last.push(edit);
    else groups.push([edit]);
  }
  return groups.flatMap((group) => linesOf(group, document)).slice(0, limits.completions.additions);
}

interface Edit {
  readonly range: Range;
  readonly text: string;
}

/** Returns the new lines of edits that touch the same lines, in order. */
function linesOf(group: readonly Edit[], document: Document): readonly string[] {
  let [line, character] = [group[0]?.range.start.line ?? 0, 0];
  const before = new Set<string>();
  let after = '';
  for (const { range, text: written } of group) {
    const { start, end } = range;
    for (let index = line; index <= end.line && before.size < limits.completions.edits; index += 1)
      before.add(document.line(index).trim());
    if (start.line === line) after += document.line(line).slice(character, start.character);
    after += written;
    [line, character] = [end.line, end.character];
  }
  after += document.line(line).slice(character);
  return after
    .split(/\r\n?|\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '' && !before.has(one))
    .map((one) => one.slice(0, limits.results.lineLength));
}

/**
 * Expands a snippet with its default values: `f(${1:a}, $2)$0` is `f(a, )`. Other text stays unchanged.
 * https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#snippet_syntax
 */
export function plainSnippet(snippet: string): string {
  let plain = '';
  /** Number of open placeholders. */
  let open = 0;
  for (let at = 0; at < snippet.length; ) {
    const rest = snippet.slice(at, at + limits.completions.mark);
    const mark = marks.find(({ pattern }) => pattern.test(rest));
    const found = mark?.pattern.exec(rest);
    if (mark && found) {
      plain += mark.writes(found);
      open += mark.opens ?? 0;
      at += found[0].length;
    } else {
      if (snippet[at] === '}' && open > 0) open -= 1;
      else plain += snippet[at];
      at += 1;
    }
  }
  return plain;
}

/** Snippet syntax, longest first. */
const marks: readonly {
  readonly pattern: RegExp;
  readonly writes: (found: RegExpExecArray) => string;
  readonly opens?: number;
}[] = [
  { pattern: /^\\([\\$}|,])/, writes: ([, escaped = '']) => escaped },
  // Writes the first of several choices.
  {
    pattern: /^\$\{\d+\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}/,
    writes: ([, first = '']) => first.replace(/\\(.)/g, '$1'),
  },
  { pattern: /^\$\{\w+:/, writes: () => '', opens: 1 },
  { pattern: /^\$\{\w+(?:\/(?:\\.|[^\\}])*)?\}/, writes: () => '' },
  { pattern: /^\$\w+/, writes: () => '' },
];
