import path from 'node:path';

/** A path that depends on the machine: below a folder, unless a variable names another. */
export interface MachinePlace {
  /** `config` is that of XDG on every system, `application` that of the system. */
  readonly base: 'home' | 'config' | 'application';
  /** Overrides `base` and `folder`. */
  readonly variable?: string;
  /** Joined to `base`. */
  readonly folder?: string;
  readonly file: string;
  /** The systems on which it is used; all if absent. */
  readonly only?: readonly NodeJS.Platform[];
}

/** What places depend on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** Returns the absolute path of a place. */
export function resolvePlace(place: MachinePlace, machine: Machine): string {
  const { join } = pathsOf(machine);
  const named = place.variable === undefined ? undefined : absolute(machine, place.variable);
  return join(named ?? join(baseOf(place.base, machine), place.folder ?? ''), place.file);
}

/** Returns the places that are used on a system. */
export function placesOnSystem(
  places: readonly MachinePlace[],
  { platform }: Machine,
): readonly MachinePlace[] {
  return places.filter(({ only }) => only === undefined || only.includes(platform));
}

function baseOf(base: MachinePlace['base'], machine: Machine): string {
  const { platform, home } = machine;
  const { join } = pathsOf(machine);
  if (base === 'home') return home;
  if (base === 'application' && platform === 'win32')
    return absolute(machine, 'APPDATA') ?? join(home, 'AppData', 'Roaming');
  if (base === 'application' && platform === 'darwin') return join(home, 'Library', 'Application Support');
  return absolute(machine, 'XDG_CONFIG_HOME') ?? join(home, '.config');
}

/** A path that is not absolute would depend on the current folder. */
function absolute(machine: Machine, variable: string): string | undefined {
  const value = machine.environment[variable];
  return value && pathsOf(machine).isAbsolute(value) ? value : undefined;
}

function pathsOf({ platform }: Machine): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}
