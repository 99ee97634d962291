// Swaps the folder `d` of the current folder for a link to another, and back, as fast as it can until it is disconnected.
// Its argument is where the link leads.
import { renameSync, symlinkSync } from 'node:fs';

symlinkSync(process.argv[2] ?? '', 'link');
let swaps = 0;
process.on('message', () => process.send?.(swaps));
swap();

function swap() {
  for (let turn = 0; turn < 50; turn++, swaps++) {
    renameSync('d', 'folder');
    renameSync('link', 'd');
    renameSync('d', 'link');
    renameSync('folder', 'd');
  }
  if (process.connected) setImmediate(swap);
}
