import { limits } from '../../core/limits.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { hideHome } from '../../platform/files/hide-home.ts';
import { wrapped } from '../cli/wrapped.ts';
import type { Paint } from '../observe/terminal.ts';
import type { DoctorReport, Finding, FindingArea, FindingLevel } from './report.ts';

/** Renders a report for people, at most 100 columns wide. */
export function renderReport(report: DoctorReport, paint: Paint): string {
  const { findings, fixed } = report;
  const section = (title: string, areas: readonly FindingArea[]) => {
    const own = findings.filter(({ area }) => areas.includes(area));
    const width = Math.max(...own.map(({ subject }) => subject.length));
    const lines = own.flatMap((one) => findingLines(one, width, paint));
    return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
  };
  const lines = [
    ...headLines(report, paint),
    ...section('Workspace', ['workspace']),
    ...section('Language servers', ['server', 'configuration']),
    ...section('Agents', ['client']),
    ...section('Machine', ['daemon', 'watches', 'state', 'edits', 'cache']),
    ...(fixed.length === 0
      ? []
      : ['', paint('bold', 'Repaired'), ...fixed.flatMap((one) => block(one, '  '))]),
    '',
    summary(findings, paint),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function headLines({ lspan_version, node_version, platform, workspace }: DoctorReport, paint: Paint) {
  const { roots, files, languages } = workspace;
  const counts = languages.map(({ language, files: own }) => `${language} ${own}`);
  const others = files - languages.reduce((sum, { files: own }) => sum + own, 0);
  const listed = [...counts, ...(others > 0 ? [`others ${others}`] : [])].map((one) =>
    one.replace(' ', '\u00a0'),
  );
  return [
    paint('bold', `lspan ${lspan_version}`) + paint('dim', `, Node ${node_version}, ${platform}`),
    ...roots.flatMap((root) => block(root, '')),
    ...(listed.length === 0 ? [] : [...block(`Files: ${listed.join(', ')}`, '')]).map((line) =>
      line.replaceAll('\u00a0', ' '),
    ),
  ];
}

const marks: Readonly<Record<FindingLevel, readonly [word: string, style: 'green' | 'yellow' | 'red']>> = {
  ok: ['ok', 'green'],
  warning: ['warn', 'yellow'],
  error: ['FAIL', 'red'],
};

/** The subjects of a section are aligned; what follows begins below the first letter of the subject. */
function findingLines(finding: Finding, width: number, paint: Paint): readonly string[] {
  const { subject, level, text, details = [], next_step } = finding;
  const [mark, style] = marks[level];
  const name = clean(subject).padEnd(Math.min(width, limits.terminal.left));
  const [first = '', ...rest] = wrapped(clean(text), limits.terminal.wide - indent.length - name.length - 2);
  const below = details.flatMap((detail) => block(detail, indent)).map((line) => paint('dim', line));
  return [
    `  ${paint(style, mark.padEnd(4))}  ${name}  ${first}`,
    ...rest.map((line) => `${' '.repeat(indent.length + name.length + 2)}${line}`),
    ...below,
    ...(next_step === undefined ? [] : nextLines(next_step, paint)),
  ];
}

/** As wide as a mark with the spaces around it. */
const indent = ' '.repeat(8);

/** A command is not broken into lines: it is to be pasted. */
function nextLines(next: string, paint: Paint): readonly string[] {
  const isSentence = /^[A-Z]/.test(next);
  const lines = isSentence ? wrapped(clean(next), limits.terminal.wide - indent.length - 2) : [clean(next)];
  return lines.map((line, at) => `${indent}${at === 0 ? paint('bold', '→') : ' '} ${line}`);
}

function summary(findings: readonly Finding[], paint: Paint): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.filter(({ level }) => level === 'warning').length;
  const noted = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  if (errors === 0) return `${paint('green', 'Everything works')}${noted}.`;
  return `${paint('red', counted(errors, 'problem'))}${noted}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Breaks a text into lines; a word that is longer than a line, such as a path, stays whole. */
function block(text: string, indent: string): readonly string[] {
  return wrapped(clean(text).trim(), limits.terminal.wide - indent.length).map((line) => `${indent}${line}`);
}

/** Names of files and words of servers could hide or forge text. */
function clean(text: string): string {
  return hideHome(visibleLine(text));
}
