// Loaded before the daemon: ends it at the nth call that changes a file of the project or the journal of edits. The client
// whose process a file names is ended first, so that it starts no other daemon.
const { existsSync, readFileSync } = require('node:fs');
const { strikeAtSteps } = require('../strike-at-steps.cjs');

const at = Number(process.env.TEST_KILL_AT);
const client = process.env.TEST_KILL_FIRST ?? '';
strikeAtSteps((step) => {
  if (step !== at) return;
  if (existsSync(client)) process.kill(Number(readFileSync(client, 'utf8')), 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
});
