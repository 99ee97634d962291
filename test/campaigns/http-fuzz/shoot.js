// Sends bytes on a connection of their own, in one of several manners, and collects what comes back.
import { connect } from 'node:net';
import { readAnswers } from './read-answers.js';

/** Milliseconds without a word after which a client that sent something broken hangs up, and one that did not complains. */
const patience = { broken: 600, whole: 30_000, stream: 20 };

/**
 * Resolves to the answers, how the connection ended, and what was left over.
 * @param {{ port: number, bytes: Buffer, manner: string, expected: number, isWhole: boolean, isHead: boolean, lasts: boolean, chance: object }} shot
 */
export function shoot({ port, bytes, manner, expected, isWhole, isHead, lasts, chance }) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).setNoDelay(true);
    let held = Buffer.alloc(0);
    let timer;
    let ending;
    const settle = (how) => {
      ending ??= how;
      clearTimeout(timer);
      socket.destroy();
    };
    const wait = (read) => {
      clearTimeout(timer);
      const time = read?.isStream && lasts ? patience.stream : isWhole ? patience.whole : patience.broken;
      timer = setTimeout(() => settle('hung up'), time);
    };
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      const read = readAnswers(held, { isHead, isClosed: false });
      if (read.answers.length >= expected && read.rest === 0) settle('answered');
      else wait(read);
    });
    socket.on('connect', () => {
      send(socket, bytes, manner, chance, settle);
      wait();
    });
    socket.on('end', () => settle('closed'));
    socket.on('error', () => settle('reset'));
    socket.on('close', () => {
      settle('closed');
      resolve({ ...readAnswers(held, { isHead, isClosed: ending === 'closed' }), ending, raw: held });
    });
  });
}

/** The manners of sending, most of which a good client has too. */
export const manners = [
  'whole',
  'whole',
  'whole',
  'whole',
  'split',
  'split',
  'half open',
  'early',
  'at once',
];

function send(socket, bytes, manner, chance, settle) {
  if (manner === 'split') return sendInParts(socket, bytes, chance);
  if (manner === 'early') {
    socket.write(bytes.subarray(0, chance.below(bytes.length + 1)), () => settle('hung up'));
    return;
  }
  socket.write(bytes, () => {
    if (manner === 'at once') settle('hung up');
  });
  if (manner === 'half open') socket.end();
}

function sendInParts(socket, bytes, chance) {
  if (bytes.length === 0 || socket.destroyed) return;
  const size = 1 + chance.below(Math.max(40, Math.ceil(bytes.length / 3)));
  socket.write(bytes.subarray(0, size), () =>
    setImmediate(() => sendInParts(socket, bytes.subarray(size), chance)),
  );
}
