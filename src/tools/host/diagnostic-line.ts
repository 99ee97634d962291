import { type Severity, severities } from '../../core/problems.ts';
import { compareTexts } from '../../core/wording/compare-texts.ts';
import { visible, visibleLine } from '../../core/wording/visible.ts';

/** A problem in the form for embedding programs: lines and columns are 1-based. */
export interface HostProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  readonly message: string;
  readonly code?: string | number | undefined;
}

/** Orders problems of a file by position, then the worse first; equal problems compare as equal. */
export function compareHostProblems(a: HostProblem, b: HostProblem): number {
  return (
    a.line - b.line ||
    a.column - b.column ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compareTexts(a.message, b.message) ||
    compareTexts(String(a.code ?? ''), String(b.code ?? ''))
  );
}

/** Renders `SEVERITY [line:col] message (code)` on one line, however many the message has. */
export function diagnosticLine(problem: Omit<HostProblem, 'file'>): string {
  const { line, column, severity, message, code } = problem;
  const origin = code === undefined || code === '' ? '' : ` (${visibleLine(String(code))})`;
  return `${names[severity]} [${line}:${column}] ${onOneLine(message)}${origin}`;
}

const names: Readonly<Record<Severity, string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  information: 'INFO',
  hint: 'HINT',
};

/** Joins the lines of a message with blanks: a line of its own could be taken for another problem. */
function onOneLine(message: string): string {
  const lines = message.split(/[\r\n]/).map((line) => line.trim());
  return visible(lines.filter((line) => line !== '').join(' '));
}
