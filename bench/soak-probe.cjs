// Loaded into lspan by the soak: tells on request what the process holds.
const { writeFileSync, renameSync } = require('node:fs');

const file = process.env.LSPAN_SOAK_FACTS;

process.on('SIGUSR2', () => {
  const held = {};
  for (const kind of process.getActiveResourcesInfo()) held[kind] = (held[kind] ?? 0) + 1;
  writeFileSync(`${file}.part`, JSON.stringify({ held, memory: process.memoryUsage() }));
  renameSync(`${file}.part`, file);
});
