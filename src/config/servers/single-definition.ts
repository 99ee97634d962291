import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { extensionName, languageId } from './language-id.ts';
import { serviceNames } from './question-names.ts';

/** Returns the definition of the server that is given with `-s`. */
export function singleDefinition(given: {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
}): ServerDefinition {
  const [program] = given.command;
  const extensions = given.extensions.map(checkedExtension);
  if (!program)
    throw new LspanError('invalid_input', 'The command of the server is empty: give a program after -s.');
  if (extensions.length === 0)
    throw new LspanError('invalid_input', 'No file extension is given: add one after -e.');
  return {
    id: nameOfProgram(program),
    extensions: Object.fromEntries(extensions.map((name) => [name, languageId(name)])),
    program: { sources: [{ kind: 'command', command: given.command }], args: [], startsEarly: true },
    ready: { kind: 'unknown' },
    timeouts,
    install:
      'Give a program after -s that is installed outside the workspace: its name in PATH, or its path.',
  };
}

/** Derives a server's id from its program: the file name without extension. */
export function nameOfProgram(program: string): string {
  return path.basename(program).replace(/\.(exe|cmd|bat|js|mjs|cjs)$/i, '');
}

const timeouts = Object.fromEntries(
  Object.keys(serviceNames).map((service) => [service, limits.pathfinder.request]),
);

function checkedExtension(given: string): string {
  const name = extensionName(given);
  if (name === undefined)
    throw new LspanError('invalid_input', `"${given}" is not a file extension: write it like ts or .ts.`);
  return name;
}
