import type { Doubt } from '../doubts.ts';
import { asLspanError, LspanError } from '../errors.ts';

/** Rewords a doubt for a program around lspan, which has no tools by our names. */
export function doubtForHost(doubt: Doubt): Doubt {
  return { ...doubt, detail: inHostWords(doubt.detail) };
}

/** Like `doubtForHost`, but for an error. */
export function errorForHost(thrown: unknown): LspanError {
  return reworded(asLspanError(thrown), inHostWords);
}

/** Rewords an error for a program that imports lspan: it has our tools, but no command line. */
export function errorForLibrary(thrown: unknown): LspanError {
  return reworded(asLspanError(thrown), (text) => replaceAll(text, ofTheCommandLine));
}

function reworded(error: LspanError, inTheirWords: (text: string) => string): LspanError {
  const { code, retryable, candidates, cause, outside } = error;
  const message = inTheirWords(error.message);
  const nextStep = error.nextStep && inTheirWords(error.nextStep);
  if (message === error.message && nextStep === error.nextStep) return error;
  return new LspanError(code, message, {
    retryable,
    cause,
    ...(nextStep === undefined ? {} : { nextStep }),
    ...(candidates ? { candidates } : {}),
    ...(outside === undefined ? {} : { outside }),
  });
}

function inHostWords(text: string): string {
  return replaceAll(text, phrases);
}

function replaceAll(text: string, from: Phrases): string {
  return from.reduce((told, [ours, theirs]) => told.replace(ours, theirs), text);
}

type Phrases = readonly (readonly [ours: RegExp, theirs: string])[];

const ofTheCommandLine: Phrases = [
  [/^Start lspan with --workspace DIR, an existing folder/, 'Give an existing folder as the workspace'],
  [/, then start lspan again/, ''],
  [/lspan was started read-only/, 'this bridge is read-only'],
  [/^Start lspan without --read-only/, 'Create a bridge without readOnly'],
  [/start lspan without --read-only/, 'create a bridge without readOnly'],
  [/report it with the log of `lspan --log-level debug`/, 'report it with its `cause`'],
];

const phrases: Phrases = [
  [/: name files to check them/, ': check files by name'],
  [/: name others to check them/, ': check others by name'],
  [/ask again, or name the files to check/, 'ask again, or check files by name'],
  [/, or search the text instead/, ''],
  [/Search the text instead, or let/, 'Let'],
  [
    /get_server_status shows the state of each server/,
    'The state of the servers shows what is wrong with each',
  ],
  [/(?<=^|[.:] )get_server_status/g, 'The state of the servers'],
  [/get_server_status/g, 'the state of the servers'],
];
