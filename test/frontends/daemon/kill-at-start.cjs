// Loaded before the daemon: ends it as soon as it has taken its lock, or made its secret, the file of its process, or its socket.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');

const step = process.env.TEST_KILL_AFTER;
const die = () => process.kill(process.pid, 'SIGKILL');

if (step === 'leave') net.createServer().listen(process.argv[2], die);

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function kill(name, ...rest) {
  const isLock = typeof name === 'string' && name.startsWith('\0');
  if (step === (isLock ? 'lock' : 'socket')) this.once('listening', die);
  return listen.call(this, name, ...rest);
};

const { renameSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (step === 'secret' && to.endsWith('.key')) die();
  if (step === 'process' && to.endsWith('.pid')) die();
};
syncBuiltinESMExports();
