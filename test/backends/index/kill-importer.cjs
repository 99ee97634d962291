// Loaded before an importer: ends it at the nth call that changes a file of the store, or at the nth write to any file.
const fs = require('node:fs');
const { strikeAtSteps } = require('../../frontends/strike-at-steps.cjs');

const at = Number(process.env.TEST_KILL_AT);
let steps = 0;
const count = () => {
  steps += 1;
  if (steps === at) process.kill(process.pid, 'SIGKILL');
};
const { writeSync } = fs;
fs.writeSync = (...args) => {
  count();
  return writeSync(...args);
};
strikeAtSteps(count);
