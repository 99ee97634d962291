// Loaded before lspan at the far end: at the nth call that changes a file of the project or the journal of edits, it kills
// the process that joins the two ends. With TEST_CUT_STOPS it then stands still, as one that has noticed nothing.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const at = Number(process.env.TEST_CUT_AT);
const folders = [`${process.env.TEST_ROOT}/`, `${process.env.XDG_STATE_HOME}/lspan/edits/`];
let count = 0;

function strike(file) {
  if (typeof file !== 'string' || !folders.some((folder) => file.startsWith(folder))) return;
  count += 1;
  // Once in all: the next process works.
  if (count !== at || fs.existsSync(process.env.TEST_CUT_DONE)) return;
  fs.writeFileSync(process.env.TEST_CUT_DONE, '');
  process.kill(process.ppid, 'SIGKILL');
  if (process.env.TEST_CUT_STOPS) process.kill(process.pid, 'SIGSTOP');
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
