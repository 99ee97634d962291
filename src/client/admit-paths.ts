import { LspanError } from '../core/errors.ts';
import type { GivenEntry } from '../workspace/gate/entry-at.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Texts } from './client.ts';

/** Resolves the paths that a program gives. */
export interface PathCheck {
  /** Returns the real path of an existing file. */
  file(given: string): Promise<string>;
  /** Returns the entry at a path, existing or not. */
  entry(given: string): GivenEntry;
}

/** Returns the gate of a workspace; files with a given text need not exist. */
export function gateOf(workspace: Workspace, texts: ReadonlyMap<string, string> = new Map()): PathCheck {
  return {
    entry: (given) => workspace.entry(given),
    file: async (given) => {
      const { path } = texts.size === 0 ? { path: '' } : workspace.entry(given);
      return texts.has(path) ? path : workspace.resolve(given);
    },
  };
}

/** Resolves files to real paths. */
export async function admitFiles(files: readonly string[], gate: PathCheck): Promise<string[]> {
  if (!Array.isArray(files)) throw wrong('The files are not a list of paths.');
  return Promise.all(files.map((file) => gate.file(String(file))));
}

/** Validates the texts and resolves their paths to real paths. */
export async function admitTexts(texts: Texts, workspace: Workspace): Promise<ReadonlyMap<string, string>> {
  if (typeof texts !== 'object' || texts === null) throw wrong('The texts are not an object or a map.');
  const given = texts instanceof Map ? [...texts] : Object.entries(texts);
  const entries = given.map(async ([name, text]) => {
    checkText(name, text);
    const { path, kind } = workspace.entry(name);
    return [kind === 'missing' ? path : await workspace.resolve(name), text] as const;
  });
  return new Map(await Promise.all(entries));
}

function checkText(name: string, text: unknown): void {
  if (typeof text !== 'string') throw wrong(`The value for ${JSON.stringify(name)} is not a string.`);
}

function wrong(message: string): LspanError {
  return new LspanError('invalid_input', message, { nextStep: 'Correct the arguments.' });
}
