// Loaded before the far end: what would be done after a minute or more is done at once.
const { setTimeout: after } = globalThis;
globalThis.setTimeout = (work, time, ...args) => after(work, time >= 60_000 ? 100 : time, ...args);
