import { closeSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Closes descriptors that the program that started lspan left open by mistake, so that no server inherits them. Node
 * closes those up to the first gap above 15; the others stay open in every child. Linux only: on macOS and Windows a
 * child only gets what it is given. For the start of the executable, never for a program that embeds lspan.
 */
export function closeInheritedDescriptors(): readonly number[] {
  if (process.platform !== 'linux') return [];
  const leaking = readdirSync('/proc/self/fd').map(Number).filter(survivesExec);
  for (const descriptor of leaking) closeSync(descriptor);
  return leaking;
}

const closeOnExec = 0o2000000;

function survivesExec(descriptor: number): boolean {
  if (descriptor <= 2) return false;
  const flags = /^flags:\s+([0-7]+)$/m.exec(describe(descriptor))?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
}

function describe(descriptor: number): string {
  try {
    return readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
  } catch {
    // The folder itself was read by this descriptor, which is closed by now.
    return '';
  }
}
