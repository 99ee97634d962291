// The results as a table.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const file = path.join(import.meta.dirname, 'RESULTS.md');
/** The sections that other commands measure. */
const ownCommands = ['Soak', 'Beside other programs', 'A newcomer'];

/** One section in Markdown, its columns aligned so that it also reads well in a terminal. */
export function sectionText({ title, rows }) {
  const compared = rows.filter(({ limit }) => limit);
  const plain = rows.filter(({ limit }) => !limit);
  const tables = [
    compared.length > 0 && tableText(comparedHead(compared[0]), compared.map(comparedCells)),
    plain.length > 0 && tableText(['what', 'lspan', 'target', ''], plain.map(plainCells)),
  ];
  return [`## ${title}`, ...tables.filter(Boolean)].join('\n\n');
}

/** Writes the file of results anew, but for the sections that another command measures. */
export function writeResults(sections, command) {
  const others = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=## )/m) : [];
  const kept = others.filter((text) => ownCommands.some((title) => text.startsWith(`## ${title}`)));
  writeFileSync(file, `${[resultsText(sections, command), ...kept].join('\n').trim()}\n`);
}

/** Writes one section into the file of results, with the command that made it. */
export function writeSection(section, command) {
  putSection(section.title, sectionText(section).split('\n').slice(2).join('\n'), command);
}

/** Like `writeSection`, for a table with columns of its own. */
export function writeTable({ title, head, rows }, command) {
  putSection(title, tableText(head, rows), command);
}

function putSection(title, body, command) {
  const others = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const isOld = (text) => text.startsWith(`## ${title}\n`);
  const text = `## ${title}\n\nMade by \`${command}\` on ${day()} (${machine()}).\n\n${body}`;
  const kept = others.map((one) => (isOld(one) ? text : one.trim()));
  const all = others.some(isOld) ? kept : [...kept, text];
  writeFileSync(file, `${all.join('\n\n')}\n`);
}

const day = () => new Date().toISOString().slice(0, 10);
const machine = () =>
  `${os.availableParallelism()} CPUs, ${process.platform} ${process.arch}, Node ${process.version}`;

function resultsText(sections, command) {
  return `# Results of the bench

Made by \`${command}\` on ${day()} (${machine()}). Times are milliseconds, median / 95th percentile, of rounds in which
lspan and its limit took turns; the ratio is that of the medians. The raw client speaks to a server of its own, of the
same binary, on the same files, and tells it word for word what lspan tells its own. Warm means after up to 200 rounds
that are not counted. Where an answer takes long, time bounds the rounds.

${sections.map(sectionText).join('\n\n')}
`;
}

function comparedHead({ limitIs }) {
  return ['what', limitIs, 'lspan', 'ratio', 'difference', 'target', '', 'rounds'];
}

function comparedCells({ what, limit, lspan, target, pass, rounds }) {
  const ratio = (lspan.median / limit.median).toFixed(2);
  const difference = (lspan.median - limit.median).toFixed(2);
  return [what, times(limit), times(lspan), ratio, difference, target, verdict(pass), String(rounds)];
}

function plainCells({ what, measured, target, pass }) {
  return [what, measured, target, verdict(pass)];
}

const times = ({ median, p95 }) => `${median.toFixed(2)} / ${p95.toFixed(2)}`;
const verdict = (pass) => (pass === undefined ? '' : pass ? 'pass' : 'MISS');

/** A table in Markdown, its columns aligned. */
export function tableText(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
