import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkDescriptors } from '../../../src/frontends/host/check-descriptors.ts';
import type { DescriptorFacts } from '../../../src/platform/processes/descriptor-facts.ts';
import { lackedPrograms } from '../../missing-programs.ts';
import { HostFixture, type HostSetting } from './start-host.ts';

const fixture = new HostFixture();
afterAll(() => fixture.close());

const fifo = (name: string) => {
  const file = path.join(fixture.folder, name);
  execFileSync('mkfifo', [file]);
  return file;
};
const [one, another, file] = [fifo('one'), fifo('another'), path.join(fixture.folder, 'file')];
writeFileSync(file, '');

/** A shell that redirects descriptors; 5 keeps a pipe open, so that opening its other end does not block. */
const redirected = (redirections: string): HostSetting => ({
  through: [
    'sh',
    '-c',
    `exec 5<>"$1" 6<>"$2"; shift 2; exec "$@" ${redirections} 5<&- 6<&-`,
    'sh',
    one,
    another,
  ],
  beyond: [],
});

/** Only bash opens such a socket by itself; nothing is sent, so there need not be a listener. */
const datagrams = (descriptor: number): HostSetting => ({
  through: ['bash', '-c', `exec "$@" ${descriptor}<>/dev/udp/127.0.0.1/9`, 'bash'],
});

/** Fault of the descriptors, how to cause it, and the expected error. */
const faults: readonly (readonly [string, HostSetting, RegExp])[] = [
  ['both are missing', { beyond: [] }, /^lspan: Descriptor 3 is not open: lspan host reads MCP from it\./],
  ['4 is missing', { beyond: ['pipe'] }, /^lspan: Descriptor 4 is not open: lspan host writes MCP to it\./],
  ['3 is closed', redirected(`3<&- 4>"${one}"`), /^lspan: Descriptor 3 is not open/],
  ['4 is closed', redirected(`3<"${one}" 4>&-`), /^lspan: Descriptor 4 is not open/],
  [
    'they are the ends of one pipe',
    redirected(`3<"${one}" 4>"${one}"`),
    /^lspan: Descriptor 3 and descriptor 4 are the two ends of one pipe/,
  ],
  [
    'they are swapped',
    redirected(`3>"${one}" 4<"${another}"`),
    /^lspan: Descriptor 3 can only be written, and 3 and 4 look swapped/,
  ],
  ['4 can only be read', redirected(`3<"${one}" 4<"${another}"`), /^lspan: Descriptor 4 can only be read:/],
  ['3 is a regular file', redirected(`3<"${file}" 4>"${one}"`), /^lspan: Descriptor 3 is a regular file/],
  ['4 is a regular file', redirected(`3<"${one}" 4>"${file}"`), /^lspan: Descriptor 4 is a regular file/],
  ['3 is a folder', redirected(`3<"${fixture.root}" 4>"${one}"`), /^lspan: Descriptor 3 is a folder/],
  ['3 is /dev/null', redirected(`3</dev/null 4>"${one}"`), /^lspan: Descriptor 3 is a device/],
  ['stdin is /dev/null', { stdin: 'ignore' }, /^lspan: Stdin \(descriptor 0\) is a device/],
  ...[0, 1, 3, 4].map((descriptor): (typeof faults)[number] => [
    `${descriptor} is a socket for datagrams`,
    datagrams(descriptor),
    new RegExp(`^lspan: .*escriptor ${descriptor}\\)? is not a byte stream: lspan host`),
  ]),
  ['3 is stdin too', redirected(`3<&0 4>"${one}"`), /^lspan: Stdin \(descriptor 0\) is descriptor 3 too/],
];

describe('TRN-28 nothing is served, and the exit code is 1, if', () => {
  test.for(faults)('%s', async ([title, setting, line], { skip }) => {
    const reason = lackedPrograms('bash');
    skip(title.endsWith('datagrams') && reason !== '', reason);
    const { code, log, stdout } = await fixture.refused(setting);
    expect(log).toEqual([expect.stringMatching(line)]);
    expect(log[0]).toMatch(
      / Start it with its own pipe or socket as descriptor \d, or with --no-(mcp|rpc)\.$/,
    );
    expect([code, stdout]).toEqual([1, '']);
  });

  test('a terminal is on stdin', () => {
    const facts: DescriptorFacts = { kind: 'a terminal', identity: '1', readable: true, writable: true };
    expect(() => checkDescriptors(['rpc'], () => facts)).toThrow('Stdin (descriptor 0) is a terminal: ');
  });
});

test('TRN-28 unused descriptors are not checked', () => {
  const pipe = (descriptor: number): DescriptorFacts | undefined =>
    descriptor > 1
      ? undefined
      : { kind: 'a pipe', identity: `${descriptor}`, readable: descriptor === 0, writable: descriptor === 1 };
  expect(() => checkDescriptors(['rpc'], pipe)).not.toThrow();
  expect(() => checkDescriptors(['mcp'], pipe)).toThrow('Descriptor 3 is not open');
});

test('one socket serves both directions', async () => {
  const listening = createServer();
  const address = path.join(fixture.folder, 'socket');
  const accepted = new Promise<Socket>((resolve) => listening.once('connection', resolve));
  listening.listen(address);
  const theirs = connect(address);
  const ours = await accepted;
  const host = fixture.start({ flags: ['--no-rpc'], stdin: 'ignore', beyond: [theirs, theirs] });
  const answered = new Promise<string>((resolve) => ours.once('data', (data) => resolve(String(data))));
  ours.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(JSON.parse(await answered)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  theirs.destroy();
  ours.end();
  expect(await host.exit).toEqual({ code: 0, signal: null });
  expect([host.stdout(), host.log]).toEqual(['', []]);
  listening.close();
});

/** What the program does to one end, and the expected error. */
const losses: readonly (readonly [
  string,
  HostSetting,
  (host: ReturnType<HostFixture['start']>) => void,
  string,
])[] = [
  ['3 ends', {}, (host) => host.input.end(), 'Descriptor 3 was closed.'],
  ['4 ends', {}, (host) => host.output.end(), 'Descriptor 4 was closed.'],
  [
    'something comes over 4',
    {},
    (host) => host.output.write('{}\n'),
    'The program wrote to descriptor 4, which only lspan writes to: 3 and 4 look swapped.',
  ],
];

test.each(losses)('TRN-28 the exit code is 1 if %s while RPC is open', async (_, setting, lose, told) => {
  const host = fixture.start(setting);
  await host.ready;
  lose(host);
  expect(await host.exit).toEqual({ code: 1, signal: null });
  expect(host.log).toEqual([
    `lspan: ${told} RPC is still open, but lspan serves it alone only with --no-mcp.`,
  ]);
});

test('TRN-28 the next answer detects that the pipe on 4 has no reader', async () => {
  const held = openSync(one, 'r+');
  const host = fixture.start(redirected(`3<"${one}" 4>"${another}"`));
  await host.ready;
  writeSync(held, '{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await host.exit).toEqual({ code: 1, signal: null });
  expect(host.log).toContainEqual(
    expect.stringMatching(/^lspan: Descriptor 4 failed: write EPIPE\. RPC is still open/),
  );
  closeSync(held);
});
