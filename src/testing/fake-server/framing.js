import { writeSync } from 'node:fs';

/**
 * Writes bytes synchronously, so that a process that ends has sent them: Node's streams queue what the reader is too
 * slow for, and lose it at exit.
 */
export function writeNow(descriptor, bytes) {
  const rest = Buffer.from(bytes);
  for (let at = 0; at < rest.length; ) at += writeSome(descriptor, rest.subarray(at));
}

/** Calls the listener for each message of a well-behaved client. */
export function readMessages(stream, listener) {
  let parts = [];
  let needed = 0;
  stream.on('data', (chunk) => {
    parts.push(chunk);
    needed -= chunk.length;
    // Concatenate a long message once, not with each of its parts.
    if (needed > 0) return;
    const { rest, missing } = takeMessages(Buffer.concat(parts), listener);
    parts = [rest];
    needed = missing;
  });
}

/** Calls the listener for each complete message; returns the rest, and how many bytes of it are known to be missing. */
function takeMessages(bytes, listener) {
  let rest = bytes;
  for (;;) {
    const headerEnd = rest.indexOf('\r\n\r\n');
    if (headerEnd === -1) return { rest, missing: 0 };
    const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, headerEnd))[1]);
    const end = headerEnd + 4 + length;
    if (rest.length < end) return { rest, missing: end - rest.length };
    const body = rest.toString('utf8', headerEnd + 4, end);
    rest = rest.subarray(end);
    listener(JSON.parse(body));
  }
}

/** Encodes one message, with the faults in `shape`. */
export function encode(message, shape = {}) {
  let body = Buffer.from(JSON.stringify(message));
  if (shape.bom) body = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), body]);
  if (shape.invalidUtf8) body = spoilText(body);
  const length = body.length + (shape.lengthDelta ?? 0);
  const header = (shape.header ?? 'Content-Length: {length}\r\n\r\n').replaceAll('{length}', String(length));
  return Buffer.concat([Buffer.from(header, 'latin1'), body]);
}

/** Returns a generator of numbers from 0 to 1, deterministic for a seed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Splits bytes into parts of 1 to 16 bytes. */
export function* splitRandomly(bytes, next) {
  let at = 0;
  while (at < bytes.length) {
    const end = at + 1 + Math.floor(next() * 16);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Puts an invalid UTF-8 byte into a string at the end of the message, which is valid JSON otherwise. */
function spoilText(body) {
  return Buffer.concat([
    body.subarray(0, -1),
    Buffer.from(',"spoilt":"'),
    Buffer.of(0xff),
    Buffer.from('"}'),
  ]);
}

function writeSome(descriptor, bytes) {
  try {
    return writeSync(descriptor, bytes);
  } catch (thrown) {
    if (thrown.code === 'EAGAIN') return 0;
    return process.exit(1);
  }
}
