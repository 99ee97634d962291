import { limits } from '../../core/limits.ts';
import { type Severity, severities } from '../../core/problems.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { cutLine } from '../run/cut-text.ts';
import { countBySeverity, keepWorst, renderCounts } from '../show/diagnostic.ts';
import { plural } from '../show/render-location.ts';
import { compareHostProblems, diagnosticLine, type HostProblem } from './diagnostic-line.ts';

/** Selects the problems that a host shows to its model. */
export interface FormatOptions {
  /** Severities to list; others are only counted. Default: errors. */
  readonly severities?: readonly Severity[];
  /** Maximum number of listed problems per file. */
  readonly perFile?: number;
  /** Maximum number of listed problems. */
  readonly total?: number;
  /** Maximum number of other files whose problems are listed. */
  readonly otherFiles?: number;
  /** Sentences that say why there may be more problems, such as the details of doubts. */
  readonly doubts?: readonly string[];
}

/**
 * Returns the text that a host appends to the result of an edit: that it was applied, and the current problems, those of
 * the edited file first. Problems that are not listed are counted.
 * @param editedFile Named as in `diagnostics`, that is, as shown in answers.
 * @param diagnostics By file. A file without problems has an empty list; an absent file was not checked.
 */
export function formatDiagnostics(
  editedFile: string,
  diagnostics: Readonly<Record<string, readonly HostProblem[]>>,
  options: FormatOptions = {},
): string {
  const { severities: wanted = ['error'], doubts = [] } = options;
  const isWanted = ({ severity }: HostProblem) => wanted.includes(severity);
  const isOwn = ({ file }: Pick<HostProblem, 'file'>) => file === editedFile;
  const all = Object.entries(diagnostics).map(([file, problems]) => ({
    file,
    problems: problems.map(withKnownSeverity),
  }));
  const files = all
    .map(({ file, problems }) => ({ file, problems: problems.filter(isWanted) }))
    .sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)) || compareTexts(a.file, b.file));
  const shown = limitProblems(files, isOwn, options);
  const others = files.filter((one) => !isOwn(one)).flatMap(({ problems }) => problems);
  const unwanted = all.flatMap(({ problems }) => problems.filter((one) => !isWanted(one)));
  return [
    `${applied} ${renderFinding(files.find(isOwn)?.problems, wanted, doubts.length > 0)}`,
    ...shown.filter(isOwn).flatMap(renderBlock),
    ...(others.length > 0 ? [`Other files have ${renderCounts(countBySeverity(others))}:`] : []),
    ...shown.filter((one) => !isOwn(one)).flatMap(renderBlock),
    ...renderRest(files, shown),
    ...(unwanted.length > 0 ? [`Not listed: ${renderCounts(countBySeverity(unwanted))}.`] : []),
    ...doubts.map((doubt) => `May be incomplete: ${escaped(visibleLine(doubt))}`),
  ].join('\n');
}

/** Comes first, so that a model does not repeat the edit. */
const applied = 'The edit was applied.';

interface Listed {
  readonly file: string;
  readonly problems: readonly HostProblem[];
}

interface Shown extends Listed {
  readonly kept: readonly HostProblem[];
}

/** Limits the problems of each file, then of all, then the number of files. Hints are cut before errors. */
function limitProblems(
  files: readonly Listed[],
  isOwn: (file: Listed) => boolean,
  options: FormatOptions,
): readonly Shown[] {
  const most = limits.editCheck;
  const { perFile = most.perFile, total = most.total, otherFiles = most.otherFiles } = options;
  let [room, left] = [total, otherFiles];
  return files.flatMap((one) => {
    const keep = Math.max(0, Math.min(perFile, room));
    const kept = keepWorst([...one.problems].sort(compareHostProblems), keep, ({ severity }) => severity);
    if (kept.length === 0 || (!isOwn(one) && left <= 0)) return [];
    room -= kept.length;
    if (!isOwn(one)) left -= 1;
    return [{ ...one, kept }];
  });
}

/** Reads an unknown severity as an error: a host may use words or numbers of its own, and nothing may be hidden. */
function withKnownSeverity(problem: HostProblem): HostProblem {
  return severities.includes(problem.severity) ? problem : { ...problem, severity: 'error' };
}

/** Says what is known about the edited file; silence is not taken for "no problems". */
function renderFinding(
  own: readonly HostProblem[] | undefined,
  wanted: readonly Severity[],
  isDoubted: boolean,
): string {
  const nouns = severities.filter((one) => wanted.includes(one)).map((one) => plurals[one]);
  const what = nouns.join(' or ') || 'problems';
  if (own === undefined) return `The file was not checked and may have ${what}.`;
  if (nouns.length === 0) return 'The file was checked; its problems are not listed.';
  if (own.length > 0) return `The file has ${renderCounts(countBySeverity(own))}:`;
  return isDoubted ? `No ${what} are known in the file so far.` : `The file has no ${what}.`;
}

const plurals: Readonly<Record<Severity, string>> = {
  error: 'errors',
  warning: 'warnings',
  information: 'information',
  hint: 'hints',
};

function renderBlock({ file, problems, kept }: Shown): string[] {
  const more = problems.length - kept.length;
  return [
    `<diagnostics file="${escaped(visibleLine(file)).replaceAll('"', '&quot;')}">`,
    ...kept.map(renderProblem),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '</diagnostics>',
  ];
}

function renderProblem(problem: HostProblem): string {
  const message = cutLine(problem.message, limits.editCheck.message);
  return escaped(diagnosticLine({ ...problem, message }));
}

/** Counts the problems in files of which none is listed. */
function renderRest(files: readonly Listed[], shown: readonly Shown[]): string[] {
  const listed = new Set(shown.map(({ file }) => file));
  const rest = files.filter(({ file, problems }) => problems.length > 0 && !listed.has(file));
  if (rest.length === 0) return [];
  const count = rest.reduce((sum, { problems }) => sum + problems.length, 0);
  return [`… and ${count} more in ${plural(listed.size > 0 ? 'more file' : 'file', rest.length)}.`];
}

/** Escapes text between tags; quotes have no meaning there and stay readable. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
