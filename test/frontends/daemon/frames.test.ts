import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { type Frame, FrameSplitter, toFrame } from '../../../src/frontends/daemon/frames.ts';

const frames: readonly Frame[] = [
  { message: { id: 1, method: 'call', params: { text: 'é 🙂 \n' } }, attached: '' },
  { message: { id: 2, result: null }, attached: '{"é":[1,2,3]}' },
  { message: [], attached: 'x'.repeat(300) },
];

const bytes = Buffer.concat(frames.map(({ message, attached }) => toFrame(message, attached)));

function reading() {
  const [found, faults]: [Frame[], string[]] = [[], []];
  const splitter = new FrameSplitter({
    frame: (frame) => found.push(frame),
    fault: (reason) => faults.push(reason),
  });
  return { splitter, found, faults };
}

describe('frames between daemon and client', () => {
  it('are found however the bytes are cut', () => {
    for (let size = 1; size <= bytes.length; size += 1) {
      const { splitter, found, faults } = reading();
      for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
      expect({ found, faults }).toEqual({ found: frames, faults: [] });
    }
  });

  it('do not depend on the buffer that they were read into', () => {
    const { splitter, found } = reading();
    const buffer = Buffer.alloc(7);
    for (let at = 0; at < bytes.length; at += buffer.length)
      splitter.push(buffer.subarray(0, bytes.copy(buffer, 0, at)));
    expect(found).toEqual(frames);
  });

  it('may be long once the writer is trusted, and not before', () => {
    const long = toFrame({ text: 'x'.repeat(limits.daemon.frameOfStranger) });
    const stranger = reading();
    stranger.splitter.push(long);
    expect(stranger).toMatchObject({ found: [], faults: ['it sends what is no message'] });
    const { splitter, found } = reading();
    splitter.trust();
    splitter.push(long);
    expect(found).toHaveLength(1);
  });

  it('are not read after a fault, which is told once', () => {
    const { splitter, found, faults } = reading();
    splitter.push(Buffer.concat([Buffer.from('07000000030000007b7b7b', 'hex'), bytes]));
    splitter.push(bytes);
    expect({ found, faults }).toEqual({ found: [], faults: ['a message is not JSON'] });
  });
});
