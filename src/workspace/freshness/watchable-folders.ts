import { statfsSync } from 'node:fs';
import { attempt } from '../gate/attempt.ts';

/** Whether the kernel hears of every change below a folder; on shared and user-space file systems others change it too. */
export function reportsChanges(folder: string): boolean {
  const facts = attempt(() => statfsSync(folder));
  return facts.ok && !shared.has(facts.value.type);
}

/** The `f_type` of file systems that other machines, a host or another program can change unheard: statfs(2). */
const shared: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x65735546, // FUSE, also virtiofs
  0x01021997, // 9p
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x786f4256, // VirtualBox shared folders
  0xbacbacbc, // VMware shared folders
  0x0bd00bd0, // Lustre
]);
