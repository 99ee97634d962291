import { spawn } from 'node:child_process';
import { closeSync, existsSync, readdirSync, renameSync, watch, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { editPatterns } from './edit-patterns.js';
import { writeNow } from './framing.js';
import { largeReplies } from './large-replies.js';

/** Performs one action of a script, an object with one field: its name. Returns a promise if it takes time. */
export function perform(server, action, step) {
  const [name] = Object.keys(action);
  if (!Object.hasOwn(actions, name)) throw new Error(`The fake server knows no action ${name}.`);
  return actions[name](server, action[name], step);
}

const actions = {
  // Replies.
  reply: (server, _auto, step) => reply(server, step, usual(server, step)),
  replyValue: (server, result, step) => reply(server, step, { result }),
  replyError: (server, error, step) => reply(server, step, { error }),
  never: (_server, _yes, step) => {
    step.answered = true;
    step.silent = true;
  },
  replyTwice: (server, _yes, step) => {
    reply(server, step, usual(server, step));
    reply(server, step, usual(server, step));
  },
  replyWrongId: (server, _yes, step) => reply(server, step, usual(server, step), step.message.id + 1_000_000),
  replyStringId: (server, _yes, step) => reply(server, step, usual(server, step), String(step.message.id)),
  replyNullId: (server, _yes, step) => reply(server, step, usual(server, step), null),
  resultAndError: (server, error, step) => reply(server, step, { result: [], error }),
  neither: (server, _yes, step) => reply(server, step, {}),
  emptyResult: (server, _yes, step) =>
    reply(server, step, { result: step.message.method.endsWith('hover') ? null : [] }),
  outsideUri: (server, { uri }, step) =>
    reply(server, step, {
      result: [{ uri, range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } } }],
    }),
  replyEdit: (server, { pattern, uri, count }, step) =>
    reply(server, step, { result: editPatterns[pattern](uri, count) }),
  replyLarge: (server, { kind, ...how }, step) => reply(server, step, { result: largeReplies[kind](how) }),
  depth: (server, levels, step) => {
    // The message itself counts as one level.
    const [before, after] = encodeAround(step.message.id);
    const body = `${before}${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}${after}`;
    step.answered = true;
    server.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  },

  // Waits.
  delayMs: (_server, time) => new Promise((resolve) => setTimeout(resolve, time)),
  waitFor: (server, method) =>
    new Promise((resolve) => {
      const look = (message) => (message.method === method ? resolve() : server.waiting.push(look));
      server.waiting.push(look);
    }),

  // The form of the next message.
  badLength: (_server, { delta }, step) => shape(step, { lengthDelta: delta }),
  header: (_server, header, step) => shape(step, { header }),
  bom: (_server, _yes, step) => shape(step, { bom: true }),
  invalidUtf8: (_server, _yes, step) => shape(step, { invalidUtf8: true }),
  splitEveryByte: (_server, _yes, step) => shape(step, { splitEveryByte: true }),
  splitRandom: (_server, _yes, step) => shape(step, { splitRandom: true }),
  partial: (server, cut, step) => {
    shape(step, { cut });
    reply(server, step, usual(server, step));
  },

  // Bytes that are not a message.
  garbage: (server, lines) => server.write(lines.map((line) => `${line}\n`).join('')),
  rawBytes: (server, { text, base64 }) =>
    server.write(Buffer.from(text ?? base64, text === undefined ? 'base64' : 'utf8')),
  headerWithoutEnd: (server, { megabytes }) => flood(server.write, megabytes * 1024 * 1024, 'x'),
  flood: (server, { megabytes, text }) => flood(server.write, megabytes * 1024 * 1024, text),
  stderr: (_server, { bytes, newline }) =>
    flood((part) => writeNow(2, part), bytes, newline ? `${'e'.repeat(79)}\n` : 'e'),

  // Messages that the server sends on its own.
  request: (server, { method, params, times = 1, wait = true }, step) => {
    const answers = Array.from({ length: times }, () => server.ask(method, params, step));
    return wait ? Promise.all(answers) : undefined;
  },
  sameIdRequest: (server, { method, params }, step) => server.ask(method, params, step, step.message.id),
  notify: (server, { method, params, times = 1 }, step) => {
    for (let sent = 0; sent < times; sent++) server.send({ jsonrpc: '2.0', method, params }, step);
  },
  progress: (server, { token, ...value }, step) =>
    server.send({ jsonrpc: '2.0', method: '$/progress', params: { token, value } }, step),

  // The process.
  exit: (_server, { code }) => process.exit(code),
  signalSelf: (_server, signal) => process.kill(process.pid, signal),
  ignoreSigterm: () => process.on('SIGTERM', () => {}),
  ignoreEnd: (server) => {
    server.ignoresEnd = true;
    stayAlive();
  },
  stopReadingStdin: () => {
    process.stdin.pause();
    stayAlive();
  },
  slowReader: (_server, { everyMs }) => {
    process.stdin.on('data', () => {
      process.stdin.pause();
      setTimeout(() => process.stdin.resume(), everyMs);
    });
  },
  closeStream: (server, name) => {
    if (name === 'stdout') server.write = () => {};
    stayAlive();
    closeSync({ stdin: 0, stdout: 1, stderr: 2 }[name]);
  },
  forkGrandchild: (_server, { pidFile, inherit }) => {
    const sleep = ['-e', 'setInterval(() => {}, 1 << 30)'];
    const child = spawn(process.execPath, sleep, { stdio: inherit ? 'inherit' : 'ignore' });
    writeWhole(pidFile, String(child.pid));
  },
  // As Gradle and others do: in its own session, orphaned.
  daemonize: (_server, { pidFile }) =>
    new Promise((resolve) => {
      // It writes its own id: by then it has certainly left our session.
      const daemon = 'echo $$ > "$0.part"; mv "$0.part" "$0"; exec sleep 1000000';
      const detach = 'setsid /bin/sh -c "$1" "$0" </dev/null >/dev/null 2>&1 &';
      const watcher = watch(dirname(pidFile), () => {
        if (!existsSync(pidFile)) return;
        watcher.close();
        resolve();
      });
      spawn('/bin/sh', ['-c', detach, pidFile, daemon], { stdio: 'ignore' });
    }),
  busyLoop: () => {
    for (;;);
  },
  allocate: (server, { megabytes }) => {
    server.held = [...(server.held ?? []), Buffer.alloc(megabytes * 1024 * 1024, 1)];
  },
  dropCanary: (_server, { file }) => writeWhole(file, `${process.pid}`),
  reportEnv: (_server, { file }) => {
    const descriptors = readdirSync('/proc/self/fd').map(Number);
    writeWhole(
      file,
      JSON.stringify({ env: process.env, cwd: process.cwd(), argv: process.argv, descriptors }),
    );
  },
};

/** Keeps a process running that no longer reads stdin. */
function stayAlive() {
  setInterval(() => {}, 1 << 30);
}

function usual(server, { message }) {
  return server.answer(message.method, message.params);
}

function reply(server, step, outcome, id = step.message.id) {
  step.answered = true;
  server.send({ jsonrpc: '2.0', id, ...outcome }, step);
}

function shape(step, change) {
  step.shape = { ...step.shape, ...change };
}

function encodeAround(id) {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, '}'];
}

/** Writes a text repeatedly up to `bytes`, in parts that let the event loop run. */
async function flood(write, bytes, text) {
  const part = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  for (let written = 0; written < bytes; written += part.length) {
    write(part.subarray(0, bytes - written));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Writes atomically: a reader sees the whole file or none. */
function writeWhole(file, content) {
  writeFileSync(`${file}.part`, content);
  renameSync(`${file}.part`, file);
}
