import { readProc } from '../processes/process-files.ts';

/**
 * Returns the umask of this process. Node can only read it by clearing it for a moment, in which another thread of an
 * embedding program could create a file that every user may write.
 */
export function creationMask(): number {
  const [, octal] = /^Umask:\s*([0-7]+)$/m.exec(readProc('self', 'status')) ?? [];
  return octal === undefined ? process.umask() : Number.parseInt(octal, 8);
}
