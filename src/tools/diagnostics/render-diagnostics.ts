import { groupBy } from '../../core/runtime/group-by.ts';
import { indented } from '../run/fenced.ts';
import { renderCounts, type Diagnostic } from '../show/diagnostic.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { plural } from '../show/render-location.ts';
import type { DiagnosticsData } from './diagnostics-data.ts';

/** Problems by file, their counts by severity in the head; or what was introduced and fixed since an earlier answer. */
export function renderDiagnostics(data: DiagnosticsData, total: number): string {
  const token = data.since === undefined ? [] : [`since: ${data.since}`];
  const body = data.introduced ? renderChanges(data) : renderProblems(data, total);
  return [...body, ...token].join('\n');
}

function renderProblems(data: DiagnosticsData, total: number): string[] {
  const { files, checked, affected, counts, diagnostics = [] } = data;
  if (checked === 0 && total === 0) return ['No file was checked.'];
  const where = whereOf(data, checked);
  const sought = soughtBy[data.min_severity];
  const isKnown = files.every(({ state }) => state === 'fresh');
  if (total === 0)
    return [isKnown ? `No ${sought} in ${where}.` : `No ${sought} are known in ${where} so far.`];
  const of = checked > 1 && affected > 0 ? `${affected} of ` : '';
  const beside = files.filter(({ related }) => related === true).length;
  const more = beside === 0 ? '' : ` and ${plural('related file', beside)}`;
  return [`${renderCounts(counts)} in ${of}${where}${more}`, ...renderFiles(data, diagnostics)];
}

/** What there is none of where nothing is listed. */
const soughtBy = {
  error: 'errors',
  warning: 'errors or warnings',
  information: 'problems above hints',
  hint: 'problems',
} as const;

function renderChanges(data: DiagnosticsData): string[] {
  const { introduced = [], fixed = [], unchanged = 0, fixed_count = 0, counts, not_compared = [] } = data;
  const { diagnostics = [] } = data;
  const now = diagnostics.length === 0 ? [] : ['there now:', ...renderFiles(data, diagnostics)];
  const apart =
    not_compared.length === 0
      ? []
      : [
          `Not compared, because one of the answers does not cover it for sure: ${renderSome(not_compared)}.`,
          ...now,
        ];
  if (data.compared === 0) return ['Nothing could be compared.', ...apart];
  const come = renderCounts(counts) || 'Nothing';
  const gone = fixed_count === 0 ? 'nothing' : fixed_count;
  return [
    `${come} introduced, ${gone} fixed, ${unchanged} unchanged in ${whereOf(data, data.compared)}`,
    ...(introduced.length > 0 ? ['introduced:', ...renderFiles(data, introduced)] : []),
    ...(fixed.length > 0 ? ['fixed (as it stood):', ...renderFiles(data, fixed)] : []),
    ...apart,
  ];
}

/** What was looked at, by name where it is one file. */
function whereOf({ files, scope }: DiagnosticsData, count = 0): string {
  const asked = files.filter(({ related }) => related !== true);
  const [only] = asked;
  return only && asked.length === 1 && scope === 'files' ? only.file_path : plural('file', count);
}

function renderFiles({ files }: DiagnosticsData, diagnostics: readonly Diagnostic[]): string[] {
  const related = new Set(files.filter((file) => file.related).map(({ file_path }) => file_path));
  return renderByFile(diagnostics, (path) => (related.has(path) ? `${path}  [related]` : path));
}

/** Problems below the path of their file, each with its line of code. */
export function renderByFile(
  diagnostics: readonly Diagnostic[],
  heading: (path: string) => string = (path) => path,
): string[] {
  return [...groupBy(diagnostics, ({ file_path }) => file_path)].flatMap(([path, own]) => [
    heading(path),
    ...own.map(renderOne),
  ]);
}

/** The line of code stands once for all problems on it. */
function renderOne(problem: Diagnostic, index: number, own: readonly Diagnostic[]): string {
  const { line, character, severity, message, code, source, text } = problem;
  const origin = [source, code].filter((part) => part !== undefined).join(' ');
  const told = `  ${line}:${character} ${severity}: ${indented(message, '      ')}${origin ? ` (${origin})` : ''}`;
  const before = own[index - 1];
  const isShown = before?.line === line && before.text === text;
  return text && !isShown ? `${told}\n      | ${text}` : told;
}
