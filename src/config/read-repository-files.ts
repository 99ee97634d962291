import path from 'node:path';
import { nearestName } from '../core/nearest-name.ts';
import { realFile } from '../platform/real-file.ts';
import { parseFile } from './parse-file.ts';
import { readSmallFile } from './read-small-file.ts';
import { keysAt, type RepositoryFile, repositorySchema } from './schema.ts';

/** What a repository's files ask for, and what of it was ignored. */
export interface RepositoryReading {
  readonly keys: readonly RepositoryFile[];
  readonly warnings: readonly string[];
}

const names = ['lspan.toml', '.lspan/config.toml', 'lspan.json'];

/** Reads the configuration that a repository brings along: inert keys only, and nothing in it is ever fatal. */
export function readRepositoryFiles(root: string): RepositoryReading {
  const top = realFile(root)?.path;
  if (top === undefined) return { keys: [], warnings: [] };
  const readings = names.map((name) => readOne(path.join(top, name)));
  return {
    keys: readings.flatMap(({ keys }) => keys),
    warnings: readings.flatMap(({ warnings }) => warnings),
  };
}

function readOne(file: string): RepositoryReading {
  const real = realFile(file)?.path;
  if (real === undefined) return { keys: [], warnings: [] };
  if (real !== file) return ignored(file, 'it is reached through a link, and links are not followed here.');
  const reading = readSmallFile(file, { followLinks: false });
  if ('wrong' in reading) return ignored(file, reading.wrong);
  const parsed = parseFile(file, reading.text);
  if ('wrong' in parsed) return ignored(file, parsed.wrong);
  if (!isTable(parsed.value)) return ignored(file, 'it does not hold a table of keys.');
  return takeInertKeys(file, parsed.value);
}

/** Takes each allowed key that is well formed. Warnings name only words of ours: the file's own text stays out of them. */
function takeInertKeys(file: string, table: Readonly<Record<string, unknown>>): RepositoryReading {
  const keys: RepositoryFile[] = [];
  const warnings: string[] = [];
  let unknown: readonly string[] = [];
  for (const [key, value] of Object.entries(table)) {
    if (Object.hasOwn(repositorySchema.shape, key)) {
      const checked = repositorySchema.safeParse({ [key]: value });
      if (checked.success) keys.push(checked.data);
      else
        warnings.push(
          `${file}: ${key} is ignored: ${checked.error.issues[0]?.message ?? 'it is not valid'}.`,
        );
    } else if (isOurWord(key)) {
      warnings.push(
        `${file}: ${key} is ignored: a repository may not set it, only your own configuration may.`,
      );
    } else unknown = [...unknown, key];
  }
  return { keys, warnings: [...warnings, ...unknownKeys(file, unknown)] };
}

function isOurWord(key: string): boolean {
  return [keysAt([]), keysAt(['servers', 0])].some((table) => Object.hasOwn(table, key)) || others.has(key);
}

/** Words that other tools use for what would run a program. */
const others: ReadonlySet<string> = new Set(['args', 'cwd', 'path', 'interpreter', 'plugins']);

function unknownKeys(file: string, keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const meant = new Set(keys.map((key) => nearestName(key, Object.keys(repositorySchema.shape))));
  meant.delete(undefined);
  const hint = meant.size === 0 ? '' : ` Did you mean ${[...meant].join(', ')}?`;
  return [`${file}: unknown keys are ignored: ${keys.length}.${hint}`];
}

function ignored(file: string, why: string): RepositoryReading {
  return { keys: [], warnings: [`${file} is ignored: ${why}`] };
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
