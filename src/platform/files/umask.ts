import { readProc } from '../processes/process-files.ts';

/**
 * The rights that new files of this process do not get. Node can ask for them only by taking them all back for a moment,
 * in which another thread, of whoever embeds lspan, could make a file that everybody may write.
 */
export function creationMask(): number {
  const [, octal] = /^Umask:\s*([0-7]+)$/m.exec(readProc('self', 'status')) ?? [];
  return octal === undefined ? process.umask() : Number.parseInt(octal, 8);
}
