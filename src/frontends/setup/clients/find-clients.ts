import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../../core/errors.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { suggestName } from '../../../core/wording/nearest-name.ts';
import type { AgentClient } from './client.ts';
import { clients } from './clients.ts';
import { type Machine, placesOnSystem, resolvePlace } from './place.ts';

/** Returns what shows that a client is on this machine, a program or a path; `undefined` if nothing does. */
export function traceOf({ found }: AgentClient, machine: Machine): string | undefined {
  const programs = (found.programs ?? []).flatMap((name) => programFile(name, machine) ?? []);
  const places = placesOnSystem(found.places, machine).map((place) => resolvePlace(place, machine));
  return programs[0] ?? places.find((place) => existsSync(place));
}

/** Returns the client that a user names by its id or another name. Throws `invalid_input` for an unknown one. */
export function clientNamed(name: string): AgentClient {
  const wanted = name.toLowerCase();
  const found = clients.find(({ id, aliases = [] }) => id === wanted || aliases.includes(wanted));
  if (found !== undefined) return found;
  const known = clients.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
  const nearest = suggestName(wanted, known);
  const advice = nearest.startsWith('Known') ? 'lspan setup --list shows the known ones.' : nearest;
  throw new LspanError('invalid_input', `Unknown client ${name}. ${advice}`, { nextStep: advice });
}

/** Returns the file of a program on the PATH; `undefined` if there is none. */
export function programFile(name: string, { platform, environment }: Machine): string | undefined {
  const names = platform === 'win32' ? ['.exe', '.cmd', '.bat', ''].map((end) => name + end) : [name];
  const folders = (environment.PATH ?? environment.Path ?? '').split(path.delimiter).filter(path.isAbsolute);
  const files = folders.flatMap((folder) => names.map((one) => path.join(folder, one)));
  return files.find(isFile);
}

/** False also where nobody may look. */
export function isFile(file: string): boolean {
  const stats = resultOrError(() => statSync(file));
  return !(stats instanceof LspanError) && stats.isFile();
}
