// Loaded before lspan: calls `strike` with the number of each call that changes a file of the project or the journal of edits.
// With TEST_EVERY_STEP, those count too that reach the files through a descriptor of their folder, and new files.
const fs = require('node:fs');
const promises = require('node:fs/promises');
const { syncBuiltinESMExports } = require('node:module');

const isEvery = process.env.TEST_EVERY_STEP !== undefined;
const folders = [
  `${process.env.TEST_ROOT}/`,
  `${process.env.XDG_STATE_HOME}/lspan/edits/`,
  ...(isEvery ? ['/proc/self/fd/'] : []),
];

exports.strikeAtSteps = (strike) => {
  let count = 0;
  const step = (file) => {
    if (typeof file !== 'string' || !folders.some((folder) => file.startsWith(folder))) return;
    count += 1;
    strike(count);
  };
  for (const name of ['linkSync', 'renameSync', 'unlinkSync', 'mkdirSync', 'symlinkSync', 'rmdirSync']) {
    const original = fs[name];
    fs[name] = (...args) => {
      step(args[0]);
      return original(...args);
    };
  }
  const { openSync } = fs;
  fs.openSync = (file, flags, ...rest) => {
    if (typeof flags === 'number' && (flags & fs.constants.O_CREAT) !== 0) step(file);
    return openSync(file, flags, ...rest);
  };
  if (isEvery) {
    const { open } = promises;
    promises.open = (file, ...rest) => {
      step(file);
      return open(file, ...rest);
    };
  }
  syncBuiltinESMExports();
};
