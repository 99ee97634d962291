// Loaded into lspan by the bench: tells on request for how long at most its event loop stood still since the last request.
const { readFileSync, renameSync, writeFileSync } = require('node:fs');

const file = process.env.LSPAN_STALL_FACTS;
/** The time that the main thread has had on a CPU, which other processes of a busy machine do not lengthen. */
const ran = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
const now = () => ({ wall: performance.now(), cpu: ran() });

let worst = { wall: 0, cpu: 0 };
let last = now();
setInterval(() => {
  const next = now();
  worst = {
    wall: Math.max(worst.wall, next.wall - last.wall),
    cpu: Math.max(worst.cpu, next.cpu - last.cpu),
  };
  last = next;
}, 1).unref();

process.on('SIGUSR2', () => {
  writeFileSync(`${file}.part`, JSON.stringify(worst));
  renameSync(`${file}.part`, file);
  worst = { wall: 0, cpu: 0 };
});
