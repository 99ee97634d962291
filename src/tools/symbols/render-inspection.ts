import { renderByFile } from '../diagnostics/render-diagnostics.ts';
import { countedOpening } from '../run/answer-words.ts';
import { fenced } from '../run/fenced.ts';
import { countBySeverity, renderCounts } from '../show/diagnostic.ts';
import { plural, renderLocations } from '../show/render-location.ts';
import type { Piece } from '../target/symbol-definition.ts';
import type { Caller, Inspection, UsedFile } from './inspection.ts';

/** Renders an inspection: the source with line numbers, then the rest, the most important first. */
export function renderInspection(data: Inspection): string {
  const { hover, not_available = [] } = data;
  return [
    ...heading(data),
    ...renderSource(data),
    ...(hover === undefined ? [] : [fenced(hover.replace(blankLines, '\n').trim())]),
    ...renderProblems(data),
    ...renderCallers(data),
    ...renderImplementations(data),
    ...renderReferences(data),
    ...renderElsewhere(data),
    ...renderEmptyParts(data),
    ...not_available.map(({ part, reason }) => `${part}: ${reason}`),
  ].join('\n');
}

/** Blank lines and rules of a hover, which only take space. */
const blankLines = /\n(?:[ \t]*(?:-{3,})?[ \t]*\n)+/g;

/** Counts the lines of pieces of a source. */
export function countLines(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { line, end_line }) => sum + end_line - line + 1, 0);
}

function heading({ symbol, definitions, source = [] }: Inspection): string[] {
  const { name, kind, file_path, line, character, external } = symbol;
  const where = `${file_path}:${line}:${character}${external ? `  [external ${external}]` : ''}`;
  const others = definitions.slice(1);
  // If the source is shown, only the other declarations have to be listed.
  const listed = source.length === 0 ? definitions : others;
  const also =
    listed.length === 0 ? [] : [source.length === 0 ? '' : 'also defined:', renderLocations(listed)];
  return [`${kind ? `${kind} ` : ''}${name}  ${where}`, ...also.filter((text) => text !== '')];
}

function renderSource({ symbol, source = [], totals: { lines = 0 } }: Inspection): string[] {
  const shown = source.flatMap((piece, index) => {
    const before = source[index - 1];
    const path = (before?.file_path ?? symbol.file_path) === piece.file_path ? [] : [piece.file_path];
    const numbered = piece.text.split('\n').map((text, at) => `${piece.line + at}\t${text}`);
    return [...path, ...(before && path.length === 0 ? ['…'] : []), ...numbered];
  });
  const left = lines - countLines(source);
  return left > 0 && source.length > 0
    ? [...shown, `${plural('line', left)} of the source omitted: read them, or raise max_tokens.`]
    : shown;
}

function renderElsewhere({ elsewhere, totals: { elsewhere: total = 0 } }: Inspection): string[] {
  if (elsewhere === undefined) return [];
  if (total === 0) return ['no uses in other repositories'];
  return [`${plural('use', total)} in other repositories:`, renderLocations(elsewhere)];
}

function renderProblems({ diagnostics = [], totals: { diagnostics: total = 0 } }: Inspection): string[] {
  if (total === 0) return [];
  const counts = total === diagnostics.length ? renderCounts(countBySeverity(diagnostics)) : `${total}`;
  return [
    `Problems: ${counts}`,
    ...renderByFile(diagnostics),
    ...renderMore(total, diagnostics, 'get_diagnostics'),
  ];
}

function renderCallers({ calls = [], totals: { calls: total = 0 } }: Inspection): string[] {
  if (total === 0) return [];
  const sites = calls.map(({ name, sites: own = [], more_sites = 0, ...caller }: Caller) => {
    const by = name === caller.file_path ? 'file scope' : name;
    const times = more_sites > 0 ? `, ${own.length + more_sites} times` : '';
    return { ...(own[0] ?? caller), in: `${by}${times}` };
  });
  const lines = sites.length > 0 ? [renderLocations(sites)] : [];
  return [`Callers: ${total}`, ...lines, ...renderMore(total, calls, 'get_call_hierarchy')];
}

function renderImplementations({ implementations = [], totals }: Inspection): string[] {
  const { implementations: total = 0 } = totals;
  if (total === 0) return [];
  const lines = implementations.length > 0 ? [renderLocations(implementations)] : [];
  const more = renderMore(total, implementations, 'find_implementations');
  return [`Implementations: ${total}`, ...lines, ...more];
}

function renderReferences({ references = [], totals }: Inspection): string[] {
  const { references: total = 0, files = 0 } = totals;
  if (total === 0) return [];
  const left = files - references.length;
  const listed = references.reduce((sum, { lines }) => sum + lines.length, 0);
  const rest =
    total > listed
      ? [`find_references lists all${left > 0 ? `, also in ${plural('more file', left)}` : ''}.`]
      : [];
  return [`References: ${total} in ${plural('file', files)}`, ...references.map(renderFile), ...rest];
}

function renderFile({ file_path, count, lines }: UsedFile): string {
  if (lines.length === 0) return `${file_path}  ${count}`;
  const left = count - lines.length;
  return `${renderLocations(lines)}${left > 0 ? `\n  ${countedOpening}${left} more` : ''}`;
}

/** Says on one line which parts are empty. */
function renderEmptyParts({ totals }: Inspection): string[] {
  const words = { diagnostics: 'problems', calls: 'callers', implementations: 'implementations' } as const;
  const none = Object.entries(totals).flatMap(([key, total]) =>
    total === 0 && isKey(key, words) ? [words[key]] : [],
  );
  return none.length > 0 ? [`No ${none.join(', no ')}.`] : [];
}

function isKey<K extends string>(key: string, table: Readonly<Record<K, string>>): key is K {
  return key in table;
}

function renderMore(total: number, listed: readonly unknown[], tool: string): string[] {
  const left = total - listed.length;
  return left > 0 ? [`  ${countedOpening}${left} more: ${tool} lists them.`] : [];
}
