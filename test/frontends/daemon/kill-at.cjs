// Loaded before the daemon: ends it at the nth call that changes a file of the project or the journal of edits.
const { strikeAtSteps } = require('../strike-at-steps.cjs');

const at = Number(process.env.TEST_KILL_AT);
strikeAtSteps((step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL');
});
