import path from 'node:path';
import { isRecord } from '../core/runtime/json.ts';
import { nearestName } from '../core/wording/nearest-name.ts';
import { realFile } from '../platform/files/real-file.ts';
import { parseFile } from './parse-file.ts';
import { readOwnFile } from './read-own-file.ts';
import { type RepositoryFile, repositorySchema, tableAt } from './schema/schema.ts';

/** The valid keys of one repository file, and warnings about the ignored ones. */
export interface RepositoryReading {
  readonly file: string;
  readonly keys: RepositoryFile;
  readonly warnings: readonly string[];
}

const names = ['lspan.toml', '.lspan/config.toml', 'lspan.json'];

/** Reads a repository's configuration files. Only inert keys are taken, and no fault is ever fatal. */
export function readRepositoryFiles(root: string): readonly RepositoryReading[] {
  const top = realFile(root)?.path;
  if (top === undefined) return [];
  return names.flatMap((name) => {
    const file = path.join(top, name);
    const real = realFile(file)?.path;
    return real === undefined ? [] : [readOne(file, real)];
  });
}

function readOne(file: string, real: string): RepositoryReading {
  if (real !== file) return ignored(file, 'it is reached through a link, and links are not followed here.');
  const reading = readOwnFile(file, { followLinks: false });
  if ('wrong' in reading) return ignored(file, reading.wrong);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) return ignored(file, parsed.wrong);
  if (!isRecord(parsed.value)) return ignored(file, 'it does not hold a table of keys.');
  return takeInertKeys(file, parsed.value);
}

/** Takes each allowed, valid key. Warnings quote only known keys, never the file's own text: an agent may read them. */
function takeInertKeys(file: string, table: Readonly<Record<string, unknown>>): RepositoryReading {
  let keys: RepositoryFile = {};
  const warnings: string[] = [];
  let unknown: readonly string[] = [];
  for (const [key, value] of Object.entries(table)) {
    if (Object.hasOwn(repositorySchema.shape, key)) {
      const checked = repositorySchema.safeParse({ [key]: value });
      if (checked.success) keys = { ...keys, ...checked.data };
      else
        warnings.push(
          `${file}: ${key} is ignored: ${checked.error.issues[0]?.message ?? 'it is not valid'}.`,
        );
    } else if (isKnownKey(key)) {
      warnings.push(
        `${file}: ${key} is ignored: a repository may not set it, only your own configuration may.`,
      );
    } else unknown = [...unknown, key];
  }
  return { file, keys, warnings: [...warnings, ...unknownKeys(file, unknown)] };
}

function isKnownKey(key: string): boolean {
  const tables = [tableAt([]), tableAt(['servers', 0]), tableAt(['limits'])];
  return foreignKeys.has(key) || tables.some((table) => table !== undefined && Object.hasOwn(table, key));
}

/** Keys that other tools use for what would run a program, and requests for trust. */
const foreignKeys: ReadonlySet<string> = new Set([
  ...['args', 'cwd', 'path', 'interpreter', 'plugins', 'plugin_dirs', 'pluginDirs'],
  ...['overrideCommand', 'override_command', 'extraEnv', 'extra_env', 'trust', 'trusted'],
]);

function unknownKeys(file: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const meant = new Set(keys.map((key) => nearestName(key, Object.keys(repositorySchema.shape))));
  meant.delete(undefined);
  const hint = meant.size === 0 ? '' : ` Did you mean ${[...meant].join(', ')}?`;
  return [`${file}: unknown keys are ignored: ${keys.length}.${hint}`];
}

function ignored(file: string, why: string): RepositoryReading {
  return { file, keys: {}, warnings: [`${file} is ignored: ${why}`] };
}
