// Stands for ssh, docker or kubectl: runs a program as on another machine, in a session of its own and without what marks
// our processes, and joins the streams. It notes its own process and the other one.
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');

const [notes, program, ...args] = process.argv.slice(2);
const { LSPAN_SERVER, ...env } = process.env;
const far = spawn(program, args, { detached: true, env, stdio: ['pipe', 'pipe', 'inherit'] });
appendFileSync(notes, `${process.pid} ${far.pid ?? 0}\n`);
far.on('error', () => process.exit(127));
far.stdin.on('error', () => {});
process.stdout.on('error', () => {});
process.stdin.pipe(far.stdin);
far.stdout.pipe(process.stdout);
far.on('close', (code) => process.exit(code ?? 1));
