import { describe, expect, it } from 'vitest';
import type { HostApi } from '../../../src/tools/host/host-api.ts';
import type { FakeScript, Rule } from '../../fake-server/script.ts';
import type { TestBridge } from '../../test-bridge.ts';
import { openTestDesk } from './open-host-api.ts';

const files = { 'a.txt': 'function alpha\nERROR_disk\n', 'b.txt': 'alpha\n' };
const given = '\n\nfunction alpha ERROR_given\n';

const open = (...lives: FakeScript[]) => openTestDesk({ files, servers: { fake: { lives } } });

/** The codes of the problems in a text of `a.txt`. */
async function codesOf(desk: HostApi, text?: string, signal?: AbortSignal) {
  const { problems } = await desk.check('a.txt', text, { signal });
  return problems.map(({ code }) => code);
}

/** What an agent sees of `a.txt` by tools: its problems, and where `alpha` is declared. */
async function seenByTools(bridge: TestBridge): Promise<readonly unknown[]> {
  const seen = [
    bridge.call('get_diagnostics', { file_path: 'a.txt' }),
    bridge.call('find_definition', { file_path: 'b.txt', line: 1, character: 1 }),
  ];
  return (await Promise.all(seen)).map(({ data, isError }) => ({ ...data, isError }));
}

const ofDisk = [
  { isError: false, complete: true, diagnostics: [{ code: 'ERROR_disk', line: 2 }] },
  { isError: false, complete: true, definitions: [{ file_path: 'a.txt', line: 1, character: 10 }] },
];

/** Tools see the disk, and the server was last told of nothing else. */
async function expectOfDisk(bridge: TestBridge): Promise<void> {
  expect(await seenByTools(bridge)).toMatchObject(ofDisk);
  const told = bridge.received().filter(({ method }) => /didOpen|didChange$/.test(method ?? ''));
  const last = told.findLast(({ params }) => JSON.stringify(params).includes('a.txt'));
  expect(JSON.stringify(last)).toContain('ERROR_disk');
}

it.each(['pull', 'push', 'push_unversioned'] as const)(
  'a given text is checked while tools ask about the same file, and each sees its own text, by %s',
  async (diagnostics) => {
    const { bridge, desk } = await open({ diagnostics });
    for (let round = 1; round <= 2; round += 1) {
      const [one, tools, two, disk, later] = await Promise.all([
        codesOf(desk, given),
        seenByTools(bridge),
        codesOf(desk, 'ERROR_other ERROR_more\n'),
        codesOf(desk),
        seenByTools(bridge),
      ]);
      expect({ one, two, disk }).toEqual({
        one: ['ERROR_given'],
        two: ['ERROR_other', 'ERROR_more'],
        disk: ['ERROR_disk'],
      });
      for (const seen of [tools, later]) expect(seen).toMatchObject(ofDisk);
    }
    await expectOfDisk(bridge);
  },
);

describe.each(['pull', 'push'] as const)('a given text, by %s,', (diagnostics) => {
  it('of a file that does not exist is checked, and no other question ever sees it', async () => {
    const { bridge, desk } = await open({ diagnostics });
    await codesOf(desk);
    const [checked, known] = await Promise.all([
      desk.check('folder/new.txt', 'ERROR_new\n'),
      desk.problems(),
      seenByTools(bridge),
    ]);
    expect(checked).toMatchObject({
      file: 'folder/new.txt',
      problems: [{ file: 'folder/new.txt', line: 1, column: 1, code: 'ERROR_new' }],
      doubts: [],
    });
    const after = await desk.problems();
    for (const { files: told } of [known, after]) expect(Object.keys(told)).not.toContain('folder/new.txt');
    expect(after.doubts.map(({ detail }) => detail).join()).not.toContain('new.txt');
    await expect(desk.check('folder/new.txt', undefined)).rejects.toMatchObject({ code: 'not_found' });
    expect(await seenByTools(bridge)).toMatchObject(ofDisk);
  });

  it('is not reported as a change of the file, however often it is checked', async () => {
    const { bridge, desk } = await open({ diagnostics });
    await seenByTools(bridge);
    const told: unknown[] = [];
    desk.onProblems((file) => told.push(file));
    for (let time = 1; time <= 3; time += 1) {
      expect(await codesOf(desk, given)).toEqual(['ERROR_given']);
      expect(await seenByTools(bridge)).toMatchObject(ofDisk);
    }
    expect(told).toEqual([]);
  });

  it('that is also on the disk is checked without a message to the server', async () => {
    const { bridge, desk } = await open({ diagnostics });
    expect(await codesOf(desk)).toEqual(['ERROR_disk']);
    const told = () => bridge.received().filter(({ method }) => /did(Open|Change|Close)$/.test(method ?? ''));
    const before = told().length;
    for (const mark of ['', '\uFEFF'])
      expect(await codesOf(desk, `${mark}${files['a.txt']}`)).toEqual(['ERROR_disk']);
    expect(told()).toHaveLength(before);
  });
});

const asked = 'textDocument/diagnostic';
const first = (...actions: Rule['do']): Rule => ({ on: { method: asked, nth: 1 }, do: actions });

describe('tools see the disk when a check of another text', () => {
  it('is cancelled in the midst', async () => {
    const { bridge, desk } = await open({ rules: [first({ never: true })] });
    const leaving = new AbortController();
    const checking = codesOf(desk, given, leaving.signal);
    await bridge.sent(asked);
    const meanwhile = seenByTools(bridge);
    leaving.abort();
    await expect(checking).rejects.toMatchObject({ code: 'cancelled' });
    expect(await meanwhile).toMatchObject(ofDisk);
    expect(await codesOf(desk, given)).toEqual(['ERROR_given']);
    await expectOfDisk(bridge);
  });

  it('fails', async () => {
    const { bridge, desk } = await open({ rules: [first({ replyError: { code: -32803, message: 'No.' } })] });
    const checking = codesOf(desk, given);
    const failed = expect(checking).rejects.toMatchObject({
      name: 'LspanError',
      message: expect.stringContaining('No.'),
    });
    await bridge.sent(asked);
    expect(await seenByTools(bridge)).toMatchObject(ofDisk);
    await failed;
    expect(await codesOf(desk, given)).toEqual(['ERROR_given']);
  });

  it('finds the server dead, which is restarted and gets the text again', async () => {
    const { bridge, desk } = await open({ rules: [first({ exit: { code: 3 } })] }, {});
    const checking = desk.check('a.txt', given);
    await bridge.sent(asked);
    const meanwhile = seenByTools(bridge);
    expect(await checking).toMatchObject({
      problems: [{ code: 'ERROR_given', line: 3 }],
      doubts: [{ kind: 'server_restarted' }],
    });
    expect(await meanwhile).toMatchObject(ofDisk);
    await expectOfDisk(bridge);
  });

  it('finds the server dead, and then no problems, which proves nothing', async () => {
    const { bridge, desk } = await open({ rules: [first({ exit: { code: 3 } })] }, {});
    const checking = desk.check('a.txt', 'fine\n');
    await bridge.sent(asked);
    const meanwhile = seenByTools(bridge);
    await expect(checking).rejects.toMatchObject({
      code: 'server_unverified',
      retryable: true,
      message:
        'No problems of "a.txt" are known, but it may have some. fake crashed during this call and was restarted. fake may not have checked the current text of a.txt.',
    });
    expect(await meanwhile).toMatchObject(ofDisk);
    expect(await codesOf(desk, 'fine\n')).toEqual([]);
  });

  it('finds a server that dies at every question, which is an error and not an empty list', async () => {
    const dying: FakeScript = { rules: [{ on: { method: asked }, do: [{ exit: { code: 3 } }] }] };
    const { desk } = await open(dying, dying, {});
    await expect(desk.check('a.txt', given)).rejects.toMatchObject({
      code: 'server_crashed',
      retryable: true,
      nextStep: expect.not.stringContaining('get_server_status'),
    });
    expect(await codesOf(desk)).toEqual(['ERROR_disk']);
  });
});
