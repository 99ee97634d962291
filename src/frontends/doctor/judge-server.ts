import type { ServerStatus } from '../../core/backend.ts';
import type { Doubt, DoubtKind } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { commandIn, shellWord } from '../../core/wording/shell-words.ts';
import type { ExaminedServer, Finding, Probe, ProbeStep } from './report.ts';

/** What a server is judged by. */
export interface ServerFacts {
  readonly server: ExaminedServer;
  readonly status: Pick<ServerStatus, 'install' | 'lastErrors' | 'lastWords' | 'lastExit' | 'restarts'>;
  /** True if a main language of the workspace has no other server that knows its symbols. */
  readonly isNeeded: boolean;
}

/** Returns the finding about a server: missing, not trusted, failing, doubtful, or in order. */
export function judgeServer({ server, status, isNeeded }: ServerFacts): Finding {
  const base = { area: 'server', subject: server.id } as const;
  const without = isNeeded ? 'error' : 'warning';
  const { state, probe, root } = server;
  if (state === 'not_installed') return { ...base, level: without, ...judgeMissing(server, status) };
  if (state === 'not_trusted')
    return {
      ...base,
      level: without,
      text: `not started: it would run code of ${filesOf(server)}, and the folder is not trusted`,
      ...detailsOf([describeProgram(server)]),
      next_step: `lspan trust ${shellWord(root)}`,
    };
  if (!probe) return { ...base, level: 'warning', text: `not probed: ${state}`, next_step: 'lspan doctor' };
  const failed = failureOf(probe, server.id);
  if (failed !== undefined) return { ...base, ...judgeFailure(failed, server, status) };
  return { ...base, ...judgeAnswers(server, probe, status) };
}

type Judgement = Pick<Finding, 'level' | 'text' | 'details' | 'next_step'>;

/** The instruction is the one that the status and the error of a call name. */
function judgeMissing(
  server: ExaminedServer,
  { install = '', lastErrors }: ServerFacts['status'],
): Omit<Judgement, 'level'> {
  const command = commandIn(install);
  const isWhole = command !== undefined && install === `Install it with \`${command}\`.`;
  return {
    text: `not installed: no answers about ${filesOf(server)}`,
    ...detailsOf([...lastErrors, ...(isWhole || command === undefined ? [] : [install])]),
    next_step: command ?? install,
  };
}

/**
 * Returns what went wrong, as a sentence; a linter that is silent fails by a doubt, since others answer. A server that knows
 * the symbols works, even if it misses a program for problems.
 */
function failureOf({ steps, doubts }: Probe, id: string): string | undefined {
  const error = steps.find(({ outcome }) => outcome === 'failed')?.error;
  if (error !== undefined) return error.message;
  const knowsSymbols = steps.some(
    ({ question, outcome }) => question === 'outline' && outcome === 'answered',
  );
  const fails = ({ kind }: Doubt) => failures.has(kind) && !(knowsSymbols && kind === 'server_unavailable');
  return doubts.find((doubt) => doubt.server === id && fails(doubt))?.detail;
}

const failures: ReadonlySet<DoubtKind> = new Set(['timed_out', 'server_unavailable', 'server_restarted']);

function judgeFailure(failed: string, server: ExaminedServer, status: ServerFacts['status']): Judgement {
  const { lastExit, lastErrors, lastWords } = status;
  const exit = lastExit && `last exit: ${lastExit.how}, after ${lastExit.livedSeconds} s`;
  const said = lastWords.slice(-limits.doctor.shown).map((line) => `it wrote: ${line}`);
  const others = lastErrors.filter((line) => !failed.includes(line));
  return {
    level: 'error',
    text: failed,
    ...detailsOf([describeProgram(server), ...others, ...(exit === undefined ? [] : [exit]), ...said]),
    next_step: `lspan doctor --workspace ${shellWord(server.root)} --log-level debug`,
  };
}

function judgeAnswers(
  server: ExaminedServer,
  probe: Probe,
  { restarts, lastExit }: ServerFacts['status'],
): Judgement {
  const { doubts, steps } = probe;
  const known = steps.filter(({ question }) => question === 'definition' || question === 'references');
  // The symbol is from the server's own outline: it should know at least where that stands.
  const isBlind =
    known.length > 0 && known.every(({ outcome, found }) => outcome === 'answered' && found === 0);
  const told = doubts.slice(0, limits.doctor.shown).map(describeDoubt);
  const more = doubts.length > told.length ? [`and ${doubts.length - told.length} more doubts`] : [];
  const blind = isBlind ? [`it knows no definition and no reference of ${probe.symbol}`] : [];
  const again = restarts > 0 ? [`it was started again: ${lastExit?.how ?? 'it ended'}`] : [];
  const isDoubtful = doubts.length > 0 || isBlind || restarts > 0;
  const next = doubts.some(({ kind }) => kind === 'not_trusted')
    ? `lspan trust ${shellWord(server.root)}`
    : doubts.some(({ kind }) => kind === 'indexing')
      ? `lspan doctor --workspace ${shellWord(server.root)}`
      : undefined;
  return {
    level: isDoubtful ? 'warning' : 'ok',
    text: [...steps.flatMap(describeStep), ...memoryOf(server)].join(', '),
    ...detailsOf([describeProgram(server), describeFound(probe), ...again, ...blind, ...told, ...more]),
    ...(next === undefined ? {} : { next_step: next }),
  };
}

/** The first question includes the start of the server. */
function describeStep({ question, outcome, ms }: ProbeStep): readonly string[] {
  if (outcome !== 'answered') return [];
  return [`${question === 'outline' ? 'started' : question} ${duration(ms)}`];
}

function memoryOf({ memory_mb }: ExaminedServer): readonly string[] {
  return memory_mb === undefined ? [] : [`${memory_mb} MB`];
}

function describeProgram({ version, origin, command, confined, trust }: ExaminedServer): string {
  const from = origin?.startsWith('package ') ? "from lspan's installation" : command;
  const trusted = trust === 'granted' ? 'trusted' : undefined;
  return [version, confined ? 'confined' : undefined, trusted, from]
    .filter((fact) => fact !== undefined)
    .join(', ');
}

function describeFound({ file_path, symbol, steps }: Probe): string {
  const counts = steps.flatMap(({ question, outcome, found = 0 }) =>
    question !== 'outline' && outcome === 'answered' ? [counted(found, question)] : [],
  );
  const subject = symbol === undefined ? file_path : `${symbol} in ${file_path}`;
  return counts.length === 0 ? `asked about ${subject}` : `${subject}: ${counts.join(', ')}`;
}

function counted(count: number, question: Exclude<ProbeStep['question'], 'outline'>): string {
  const noun = { definition: 'definition', references: 'reference', problems: 'problem' }[question];
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function describeDoubt({ kind, detail }: Doubt): string {
  return `in doubt (${kind}): ${detail}`;
}

function filesOf({ languages, files }: ExaminedServer): string {
  return `${languages.join(', ')} (${files} ${files === 1 ? 'file' : 'files'})`;
}

function detailsOf(lines: readonly string[]): Pick<Finding, 'details'> {
  const kept = lines.filter((line) => line !== '').map((line) => line.slice(0, limits.doctor.line));
  return kept.length === 0 ? {} : { details: kept };
}

/** Renders milliseconds for people. */
export function duration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}
