import { describe, expect, it } from 'vitest';
import { readTrustRecords } from '../../../src/config/trust/trust-file.ts';
import { limits } from '../../../src/core/limits.ts';

const hash = 'a'.repeat(64);
const server = { id: 'one', files: [['build.rs', hash]] };
const record = { root: '/one', when: '2026-01-01T00:00:00.000Z', servers: [server] };
const file = (...roots: readonly unknown[]) => ({ version: 1, roots });

describe('the records of a trust file', () => {
  it('are those that lspan writes', () => {
    expect(readTrustRecords(file(record))).toEqual([record]);
    expect(readTrustRecords(file())).toEqual([]);
    expect(readTrustRecords(file(...Array(limits.trust.roots).fill(record)))).toHaveLength(
      limits.trust.roots,
    );
  });

  it.each<[string, unknown]>([
    ['an array', [record]],
    ['nothing', null],
    ['no version', { roots: [record] }],
    ['another version', { version: '1', roots: [record] }],
    ['an additional field', { ...file(record), all: true }],
    ['an inherited field', Object.create(file(record))],
    ['too many folders', file(...Array(limits.trust.roots + 1).fill(record))],
    ['an object instead of the list of folders', { version: 1, roots: { 0: record, length: 1 } }],
    ['a folder without a name', file({ ...record, root: '' })],
    ['a folder that is not a string', file({ ...record, root: 1 })],
    ['a folder with an additional field', file({ ...record, all: true })],
    ['a folder without a time', file({ root: '/one', servers: [server] })],
    ['a server without a name', file({ ...record, servers: [{ files: [] }] })],
    ['a server with an additional field', file({ ...record, servers: [{ ...server, all: true }] })],
    ['a file without a hash', file({ ...record, servers: [{ ...server, files: [['build.rs']] }] })],
    [
      'a file with two hashes',
      file({ ...record, servers: [{ ...server, files: [['build.rs', hash, hash]] }] }),
    ],
    ['a hash in capitals', file({ ...record, servers: [{ ...server, files: [['a', hash.toUpperCase()]] }] })],
    [
      'a hash with a line after it',
      file({ ...record, servers: [{ ...server, files: [['a', `${hash}\n`]] }] }),
    ],
  ])('are rejected for %s', (_what, value) => {
    expect(readTrustRecords(value)).toBeUndefined();
  });
});
