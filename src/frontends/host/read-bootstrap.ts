import path from 'node:path';
import { parseFile } from '../../config/parse-file.ts';
import type { GivenConfig } from '../../config/read-user-file.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { suggestName } from '../../core/wording/nearest-name.ts';

/** Variable in which a program passes workspace and configuration to `lspan host`. */
export const bootstrapVariable = 'LSP_BOOTSTRAP';

/** Content of the variable. */
interface Bootstrap {
  readonly workspaceRoot: string;
  /** Replaces the user's file. */
  readonly config?: GivenConfig;
  /** False if the program wants no tools over MCP. */
  readonly tools: boolean;
}

/** Parses the variable. Every fault is an error that names the fix. */
export function readBootstrap(text: string): Bootstrap {
  const parsed = parseFile(`${bootstrapVariable}.json`, text);
  if ('wrong' in parsed) throw wrong(parsed.wrong);
  const { value } = parsed;
  if (!isRecord(value)) throw wrong('it is not an object.');
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw wrong(`there is no key "${unknown.slice(0, limits.quoted.key)}". ${suggestName(unknown, keys)}`);
  const { workspaceRoot, config } = value;
  if (workspaceRoot === undefined) throw wrong('workspaceRoot is missing.');
  if (typeof workspaceRoot !== 'string') throw wrong('workspaceRoot must be a string.');
  if (!path.isAbsolute(workspaceRoot)) throw wrong('workspaceRoot must be an absolute path.');
  if (config === undefined) return { workspaceRoot, tools: true };
  if (!isRecord(config)) throw wrong('config must be an object.');
  const { navigationTools = true, ...ours } = config;
  if (typeof navigationTools !== 'boolean') throw wrong('config.navigationTools must be true or false.');
  return { workspaceRoot, config: { value: ours, name: bootstrapVariable }, tools: navigationTools };
}

const keys: readonly string[] = ['workspaceRoot', 'config'];

function wrong(what: string): LspanError {
  const nextStep = 'Use {"workspaceRoot": "/path/to/project", "config": {…}}; config is optional.';
  return new LspanError('invalid_input', `${bootstrapVariable} cannot be used: ${what} ${nextStep}`, {
    nextStep,
  });
}
