import { groupBy } from '../../core/runtime/group-by.ts';
import { indented } from '../run/fenced.ts';
import { type Diagnostic, renderCounts } from '../show/diagnostic.ts';
import { renderSome } from '../show/problem-doubts.ts';
import { plural } from '../show/render-location.ts';
import type { DiagnosticsData } from './diagnostics-data.ts';

/** Renders problems by file with their counts, or what was introduced and fixed since an earlier answer. */
export function renderDiagnostics(data: DiagnosticsData, total: number): string {
  const token = data.since === undefined ? [] : [`since: ${data.since}`];
  const body = data.introduced ? renderChanges(data) : renderProblems(data, total);
  return [...body, ...renderLeft(data), ...token].join('\n');
}

/** Renders which files were not checked. */
function renderLeft({ unchecked = 0, outside_projects = 0 }: DiagnosticsData): string[] {
  return [
    ...(unchecked === 0 ? [] : [`${plural('file', unchecked)} not checked yet: the same call goes on.`]),
    ...(outside_projects === 0
      ? []
      : [
          `${plural('file', outside_projects)} of no project not checked: name a file or folder to check it.`,
        ]),
  ];
}

function renderProblems(data: DiagnosticsData, total: number): string[] {
  const { files, checked, affected, counts, diagnostics = [] } = data;
  if (checked === 0 && total === 0) return ['No file was checked.'];
  const where = renderWhere(data, checked);
  const nouns = nounsBySeverity[data.min_severity];
  const isCertain = files.every(({ state }) => state === 'fresh');
  if (total === 0)
    return [isCertain ? `No ${nouns} in ${where}.` : `No ${nouns} are known in ${where} so far.`];
  const of = checked > 1 && affected > 0 ? `${affected} of ` : '';
  const related = files.filter((file) => file.related === true).length;
  const more = related === 0 ? '' : ` and ${plural('related file', related)}`;
  const head = `${renderCounts(counts)} in ${of}${where}${more}`;
  return [head, ...renderMissing(data), ...renderFiles(data, diagnostics)];
}

/** Renders that problems come from packages that are missing, as in a fresh clone. */
function renderMissing({
  missing_packages: names = [],
  missing_packages_count = 0,
}: DiagnosticsData): string[] {
  if (names.length === 0) return [];
  const some = renderSome(names, missing_packages_count);
  return [`Imported, but not installed or not built: ${some}. Other problems may come from that.`];
}

/** The nouns for an empty list, by minimum severity. */
const nounsBySeverity = {
  error: 'errors',
  warning: 'errors or warnings',
  information: 'problems above hints',
  hint: 'problems',
} as const;

function renderChanges(data: DiagnosticsData): string[] {
  const { introduced = [], fixed = [], unchanged = 0, fixed_count = 0, counts, not_compared = [] } = data;
  const { diagnostics = [] } = data;
  const now = diagnostics.length === 0 ? [] : ['there now:', ...renderFiles(data, diagnostics)];
  const notCompared =
    not_compared.length === 0
      ? []
      : [`Not compared, because one of the answers may not cover it: ${renderSome(not_compared)}.`, ...now];
  if (data.compared === 0) return ['Nothing could be compared.', ...notCompared];
  const introducedCount = renderCounts(counts) || 'Nothing';
  const fixedCount = fixed_count === 0 ? 'nothing' : fixed_count;
  const where = renderWhere(data, data.compared);
  return [
    `${introducedCount} introduced, ${fixedCount} fixed, ${unchanged} unchanged in ${where}`,
    ...(introduced.length > 0 ? ['introduced:', ...renderFiles(data, introduced)] : []),
    ...(fixed.length > 0 ? ['fixed (old lines):', ...renderFiles(data, fixed)] : []),
    ...notCompared,
  ];
}

/** Renders what was checked: the name of a single file, else the number of files. */
function renderWhere({ files, scope }: DiagnosticsData, count = 0): string {
  const asked = files.filter(({ related }) => related !== true);
  const [only] = asked;
  return only && asked.length === 1 && scope === 'files' ? only.file_path : plural('file', count);
}

function renderFiles({ files }: DiagnosticsData, diagnostics: readonly Diagnostic[]): string[] {
  const related = new Set(files.filter((file) => file.related).map(({ file_path }) => file_path));
  return renderByFile(diagnostics, (path) => (related.has(path) ? `${path}  [related]` : path));
}

/** Renders problems below the path of their file, each with its line of code. */
export function renderByFile(
  diagnostics: readonly Diagnostic[],
  heading: (path: string) => string = (path) => path,
): string[] {
  return [...groupBy(diagnostics, ({ file_path }) => file_path)].flatMap(([path, own]) => [
    heading(path),
    ...own.map(renderProblem),
  ]);
}

/** Renders a problem; a line of code is shown once for all problems on it. */
function renderProblem(problem: Diagnostic, index: number, own: readonly Diagnostic[]): string {
  const { line, character, severity, message, code, source, text } = problem;
  const origin = [source, code].filter((part) => part !== undefined).join(' ');
  const first = `  ${line}:${character} ${severity}: ${indented(message, '      ')}${origin ? ` (${origin})` : ''}`;
  const before = own[index - 1];
  const isShown = before?.line === line && before.text === text;
  return text && !isShown ? `${first}\n      | ${text}` : first;
}
