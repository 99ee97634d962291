// Runs the pinned TypeScript 7 compiler, whichever version the name `tsc` may have in node_modules/.bin.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = path.dirname(createRequire(import.meta.url).resolve('typescript-7/package.json'));
const { status } = spawnSync(process.execPath, [path.join(folder, 'bin/tsc'), ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
