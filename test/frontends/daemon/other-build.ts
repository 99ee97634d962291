import { once } from 'node:events';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bin, type DaemonWorld } from './daemon-world.ts';

/** Another build of the program, in the folder of a world. */
export interface OtherBuild {
  readonly script: string;
  /** Makes it another one than it was when its daemon started. */
  replace(id: string): void;
}

/** Copies the built program, and makes it another build. */
export function copyBuild({ folder }: DaemonWorld, name = 'other'): OtherBuild {
  const place = path.join(folder, name, 'dist');
  cpSync(path.dirname(bin), place, { recursive: true });
  const replace = (id: string) => writeFileSync(path.join(place, 'build-id'), `${id}\n`);
  replace(name);
  return { script: path.join(place, 'bin.js'), replace };
}

/** Starts the daemon of another build; returns its process. */
export async function startOtherBuild(world: DaemonWorld, { script } = copyBuild(world)): Promise<number> {
  const daemon = world.start(['daemon'], { script });
  if (daemon.stdout) await once(daemon.stdout, 'data');
  return daemon.pid ?? 0;
}
