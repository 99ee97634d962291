// Behaves like a careless dependency: prints on each signal, and throws from the second on.
let times = 0;
process.on('SIGUSR2', () => {
  times += 1;
  if (times > 1)
    setImmediate(() => {
      throw new Error('nobody catches this');
    });
  console.log('polluted by console.log');
  process.stdout.write('polluted by stdout.write\n');
  process.emitWarning('polluted by a warning');
});
