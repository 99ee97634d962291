// Loaded before lspan at the far end: at the nth call that changes a file of the project or the journal of edits, it kills
// the process that joins the two ends. With TEST_CUT_STOPS it then stands still, as one that has noticed nothing.
const fs = require('node:fs');
const { strikeAtSteps } = require('../strike-at-steps.cjs');

const { TEST_CUT_AT, TEST_CUT_DONE, TEST_CUT_STOPS } = process.env;
strikeAtSteps((step) => {
  // Once in all: the next process works.
  if (step !== Number(TEST_CUT_AT) || fs.existsSync(TEST_CUT_DONE)) return;
  fs.writeFileSync(TEST_CUT_DONE, '');
  process.kill(process.ppid, 'SIGKILL');
  if (TEST_CUT_STOPS) process.kill(process.pid, 'SIGSTOP');
});
