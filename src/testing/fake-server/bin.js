// A language server that follows a script: `node bin.js script.json`. The types of a script are in `../script.ts`.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { perform } from './actions.js';
import { carryOut } from './changes.js';
import { encode, random, readMessages, splitRandomly, writeNow } from './framing.js';
import { Language } from './language.js';

const { script, note } = openNotes(JSON.parse(readFileSync(process.argv[2], 'utf8')));

/** State that actions and the language share. */
const server = {
  script,
  language: new Language(script),
  /** Messages, replies and protocol violations of the client: the reply to `fake/log`. */
  log: { received: [], answers: [], complaints: [] },
  /** Number of messages by method. */
  counts: new Map(),
  ignoresEnd: false,
  asked: new Map(),
  lastId: 0,
  waiting: [],
  random: random(script.seed ?? 1),
  write: (bytes) => writeNow(1, bytes),
  complain,
  send,
  ask,
  answer: (method, params) => answer(server, method, params),
};

readMessages(process.stdin, receive);
process.stdin.on('end', () => {
  if (!server.ignoresEnd) process.exit(server.language.isShutDown ? 0 : 1);
});
for (const rule of script.rules ?? []) {
  if (rule.on.start) run(rule.do, { answered: true, shape: {} });
  if (rule.on.afterMs !== undefined) {
    setTimeout(() => run(rule.do, { answered: true, shape: {} }), rule.on.afterMs);
  }
}

/** Sends one message in the form that earlier actions set, and resets the form. */
function send(message, step = { shape: {} }) {
  const { shape } = step;
  step.shape = {};
  const bytes = encode(message, shape);
  if (shape.cut !== undefined) server.write(bytes.subarray(0, Math.floor(bytes.length * shape.cut)));
  else if (shape.splitEveryByte) for (const byte of bytes) server.write(Buffer.of(byte));
  else if (shape.splitRandom) for (const part of splitRandomly(bytes, server.random)) server.write(part);
  else server.write(bytes);
}

/** Sends a request to the client; the reply is logged. */
function ask(method, params, step, id = ++server.lastId) {
  return new Promise((resolve) => {
    server.asked.set(id, (reply) => {
      const { result, error } = reply;
      server.log.answers.push(error === undefined ? { method, id, result } : { method, id, error });
      resolve(reply);
    });
    send({ jsonrpc: '2.0', id, method, params }, step);
  });
}

function receive(message) {
  if (script.log) appendFileSync(script.log, `${JSON.stringify(message)}\n`);
  note('received', message);
  if (message.method === undefined) return settle(message);
  if (!message.method.startsWith('fake/')) server.log.received.push(message);
  const count = (server.counts.get(message.method) ?? 0) + 1;
  server.counts.set(message.method, count);
  for (const waiting of server.waiting.splice(0)) waiting(message);
  const isRequest = message.id !== undefined;
  const step = { message, answered: !isRequest, silent: false, shape: {} };
  if (!isRequest) server.language.hear(server, message.method, message.params);
  const { rules = [] } = script;
  const matching = rules.filter(({ on }) => on.method === message.method && (on.nth ?? count) === count);
  const actions = matching.flatMap((rule) => rule.do);
  run(actions, step, () => finish(step));
}

function finish({ message, answered, silent, shape }) {
  const { id, method, params } = message;
  if (!answered && method === 'workspace/executeCommand') {
    return void carryOut(server, params).then((reply) => send({ jsonrpc: '2.0', id, ...reply }, { shape }));
  }
  if (!answered) send({ jsonrpc: '2.0', id, ...answer(server, method, params) }, { shape });
  if (method === 'exit' && !silent) process.exit(server.language.isShutDown ? 0 : 1);
}

function settle(reply) {
  const resolve = server.asked.get(reply.id);
  if (!resolve) return complain(`a reply to the unknown id ${JSON.stringify(reply.id)}`);
  server.asked.delete(reply.id);
  resolve(reply);
}

/** Logs a violation of the protocol by the client. */
function complain(text) {
  server.log.complaints.push(text);
  note('complaints', text);
}

/** Performs actions in order, synchronously until one returns a promise. */
function run(actions, step, then = () => {}) {
  for (const [index, action] of actions.entries()) {
    const wait = perform(server, action, step);
    if (wait instanceof Promise) return void wait.then(() => run(actions.slice(index + 1), step, then));
  }
  then();
}

/** Replies as a well-behaved server. */
function answer({ language, log }, method, params) {
  if (method === 'fake/log') return { result: log };
  if (method === 'fake/echo') return { result: params ?? null };
  return language.answer(method, params, complain);
}

/**
 * Returns the script of this process and a function that records what happens to it. The input is one script, for
 * which nothing is recorded, or the scripts of consecutive processes with the folder of the records.
 */
function openNotes(given) {
  if (!given.scripts) return { script: given, note: () => {} };
  const { scripts, notes } = given;
  const note = (name, what) => appendFileSync(join(notes, name), `${JSON.stringify(what)}\n`);
  note('pids', process.pid);
  const index = readFileSync(join(notes, 'pids'), 'utf8').split('\n').lastIndexOf(String(process.pid));
  return { script: scripts[Math.min(index, scripts.length - 1)], note };
}
