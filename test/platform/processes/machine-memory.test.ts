import { totalmem } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { machineMemory, memoryPressure } from '../../../src/platform/processes/machine-memory.ts';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['none', 0, totalmem()],
  ['one beyond any memory', 2 ** 64, totalmem()],
  ['one below the memory', 4_096, 4_096],
])('PRC-26 the memory is that of the machine or of its control group: %s', (_title, group, most) => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(group);
  expect(machineMemory()).toBe(most);
});

it('PRC-28 the pressure is that of the last ten seconds', () => {
  const text = [
    'some avg10=12.34 avg60=1.00 avg300=2.00 total=414277',
    'full avg10=0.50 avg60=3.00 avg300=4.00 total=20424',
  ];
  expect(memoryPressure(`${text.join('\n')}\n`)).toEqual({ some: 12.34, full: 0.5 });
  expect(memoryPressure(`${text[0]}\n`)).toEqual({ some: 12.34, full: 0 });
});

it.each(['', 'some\n', 'some avg10= avg60=1.00', 'full avg10=1.00 avg60=3.00 avg300=4.00 total=1\n'])(
  'PRC-28 a kernel that reports no pressure has none: %j',
  (text) => {
    expect(memoryPressure(text)).toBeUndefined();
  },
);
