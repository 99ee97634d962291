// Loaded before the daemon: ends it at the nth call that changes a file of the project or the journal of edits.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const at = Number(process.env.TEST_KILL_AT);
const folders = [`${process.env.TEST_ROOT}/`, `${process.env.XDG_STATE_HOME}/lspan/edits/`];
let count = 0;

function strike(file) {
  if (typeof file !== 'string' || !folders.some((folder) => file.startsWith(folder))) return;
  count += 1;
  if (count === at) process.kill(process.pid, 'SIGKILL');
}

for (const name of ['linkSync', 'renameSync', 'unlinkSync', 'mkdirSync', 'symlinkSync', 'rmdirSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    strike(args[0]);
    return original(...args);
  };
}

const { openSync } = fs;
fs.openSync = (file, flags, ...rest) => {
  if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0) strike(file);
  return openSync(file, flags, ...rest);
};

syncBuiltinESMExports();
