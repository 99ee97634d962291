import { chmodSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../src/bridge.ts';
import { limits } from '../../../src/core/limits.ts';
import { silent } from '../../../src/core/log.ts';
import { openTrace } from '../../../src/frontends/observe/trace-file.ts';
import { makePipe, temporaryFolder } from '../../config/temporary-folder.ts';

const entry: TraceEntry = {
  server: 'pyright',
  direction: 'to_server',
  message: { jsonrpc: '2.0', method: 'exit' },
};

describe('the trace', () => {
  it('appends one JSON line per message', () => {
    const file = path.join(temporaryFolder({ 't.jsonl': '{"old":1}\n' }), 't.jsonl');
    const trace = openTrace(file, silent);
    trace.write(entry);
    trace.write({ ...entry, direction: 'from_server', message: 'a\nb' });
    trace.close();
    trace.write(entry);
    trace.close();
    const [old, first, second, ...rest] = readFileSync(file, 'utf8').split('\n');
    expect(old).toBe('{"old":1}');
    expect(JSON.parse(first ?? '')).toEqual({ ...entry, time: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(JSON.parse(second ?? '')).toMatchObject({ direction: 'from_server', message: 'a\nb' });
    expect(rest).toEqual(['']);
  });

  it('INF-10 is readable by the user only, also if the file was readable by others before', () => {
    const folder = temporaryFolder({ 'old.jsonl': '' });
    chmodSync(path.join(folder, 'old.jsonl'), 0o666);
    for (const name of ['old.jsonl', 'new.jsonl']) {
      openTrace(path.join(folder, name), silent).close();
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });

  it.each([
    ['link.jsonl', /is a link, and links are not followed/],
    ['dangling.jsonl', /is a link, and links are not followed/],
    ['folder', /it is a folder/],
    ['none/x.jsonl', /its folder does not exist/],
    ['pipe', /it is not a regular file/],
  ])('refuses %s', (name, message) => {
    const folder = temporaryFolder({ 'real.jsonl': '', 'folder/x': '' });
    symlinkSync(path.join(folder, 'real.jsonl'), path.join(folder, 'link.jsonl'));
    symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'dangling.jsonl'));
    makePipe(path.join(folder, 'pipe'));
    expect(() => openTrace(path.join(folder, name), silent)).toThrow(message);
  });

  it('RES-11 ends at its size limit and logs that once', () => {
    const file = path.join(temporaryFolder({ 't.jsonl': '' }), 't.jsonl');
    const size = Buffer.byteLength(`${JSON.stringify({ time: new Date(), ...entry })}\n`);
    truncateSync(file, limits.trace - size);
    const logged: unknown[] = [];
    const trace = openTrace(file, (level, event, fields) => void logged.push([level, event, fields?.why]));
    trace.write(entry);
    expect(logged).toEqual([]);
    expect(statSync(file).size).toBe(limits.trace);
    trace.write(entry);
    trace.write(entry);
    trace.close();
    expect(statSync(file).size).toBe(limits.trace);
    expect(logged).toEqual([['warn', 'trace_ended', 'the file has reached 64 MiB']]);
  });
});
