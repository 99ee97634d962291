import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { definedFields } from '../defined-fields.ts';
import { extensionName, languageId } from './language-id.ts';
import { serviceNames } from './question-names.ts';

/** The server that is given with `-s`. */
interface GivenServer {
  readonly extensions: readonly string[];
  readonly command: readonly string[];
}

/** Returns the definition of a given server. What is known of its program holds for it too, such as when it is ready. */
export function singleDefinition(
  given: GivenServer,
  builtIn: readonly ServerDefinition[] = [],
): ServerDefinition {
  const [program] = given.command;
  const extensions = given.extensions.map(checkedExtension);
  if (!program)
    throw new LspanError('invalid_input', 'The command of the server is empty: give a program after -s.');
  if (extensions.length === 0)
    throw new LspanError('invalid_input', 'No file extension is given: add one after -e.');
  const id = nameOfProgram(program);
  return {
    ...factsOf(builtIn.find((known) => known.id === id)),
    id,
    extensions: Object.fromEntries(extensions.map((name) => [name, languageId(name)])),
    program: { sources: [{ kind: 'command', command: given.command }], args: [], startsEarly: true },
    timeouts,
    install:
      'Give a program after -s that is installed outside the workspace: its name in PATH, or its path.',
  };
}

/** Returns what is so however the program is started. */
function factsOf(
  known: ServerDefinition | undefined,
): Pick<ServerDefinition, 'ready' | 'handshake' | 'sync'> {
  if (known === undefined) return { ready: { kind: 'unknown' } };
  const { ready, handshake, sync } = known;
  return { ready, ...definedFields({ handshake, sync }) };
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
