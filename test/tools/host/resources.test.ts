import { describe, expect, it } from 'vitest';
import { bestMatches } from '../../../src/tools/host/complete.ts';
import type { McpResources } from '../../../src/tools/host/resources.ts';
import { openTestBridge, type TestSetting } from '../../test-bridge.ts';

const { signal } = new AbortController();

async function open(setting: TestSetting = {}) {
  const bridge = await openTestBridge(setting);
  const { resources } = bridge;
  if (!resources) throw new Error('There is a workspace.');
  return { bridge, sidelights: resources };
}

/** Resolves when it is said that the problems of a file may have changed. */
const told = (sidelights: McpResources, wanted: (path?: string) => boolean) =>
  new Promise<void>((resolve) => void sidelights.onProblems((path) => wanted(path) && resolve()));

describe('the problems of files', () => {
  const files = { 'bad.txt': 'function alpha\nERROR_x\n', 'good.txt': 'function beta\nbeta\n' };

  it('are listed only as far as they are known, without starting a server', async () => {
    const { bridge, sidelights } = await open({ files });
    expect(await sidelights.filesWithProblems()).toEqual([]);
    expect(bridge.pids()).toEqual([]);
    for (const file of ['bad.txt', 'good.txt']) await sidelights.problemsOf(file);
    expect(await sidelights.filesWithProblems()).toEqual(['bad.txt']);
  });

  it('are those of the tool, and current at every reading', async () => {
    const { bridge, sidelights } = await open({ files });
    const { text } = await bridge.call('get_diagnostics', { file_path: 'bad.txt' });
    expect((await sidelights.problemsOf('bad.txt')).text).toBe(text);
    bridge.write('bad.txt', 'function alpha\nalpha\n');
    expect((await sidelights.problemsOf('bad.txt')).text).not.toContain('ERROR_x');
    expect(await sidelights.filesWithProblems()).toEqual([]);
  });

  it('outside the workspace are never shown', async () => {
    const { sidelights } = await open({ files });
    expect(await sidelights.problemsOf('../../etc/passwd')).toMatchObject({
      isError: true,
      data: { error: { code: 'outside_workspace' } },
    });
    await expect(sidelights.locate('/etc/passwd')).rejects.toMatchObject({ code: 'outside_workspace' });
  });

  it('are reported when a server reports on a file', async () => {
    const { bridge, sidelights } = await open({
      files,
      servers: { fake: { lives: [{ diagnostics: 'push' }] } },
    });
    const path = await sidelights.locate('bad.txt');
    const spoken = told(sidelights, (one) => one === path);
    await bridge.call('get_diagnostics', { file_path: 'bad.txt' });
    await spoken;
  });

  it('are reported when a file changes on the disk, without any call', async () => {
    const { bridge, sidelights } = await open({ files });
    await sidelights.locate('bad.txt');
    const changed = told(sidelights, (path) => path === undefined);
    bridge.write('good.txt', 'function gamma\n');
    await changed;
  });
});

describe('completion', () => {
  it('offers paths that are not ignored, those that begin with the text first', async () => {
    const files = {
      '.gitignore': 'build/\n',
      'src/cart.txt': '',
      'src/art.txt': '',
      'art/a.txt': '',
      'build/art.txt': '',
    };
    const { bridge, sidelights } = await open({ files });
    expect((await sidelights.completePath('art', signal)).values).toEqual([
      'art/a.txt',
      'src/art.txt',
      'src/cart.txt',
    ]);
    expect((await sidelights.completePath('./SRC/', signal)).values).toEqual(['src/art.txt', 'src/cart.txt']);
    expect((await sidelights.completePath('sct', signal)).values).toEqual(['src/art.txt', 'src/cart.txt']);
    expect(bridge.pids()).toEqual([]);
  });

  it('offers the symbols of a file, or the words of its text while its server does not run', async () => {
    const { bridge, sidelights } = await open({ files: { 'a.txt': 'function alpha\nalmost\n' } });
    expect((await sidelights.completeSymbol('al', 'a.txt', signal)).values).toEqual(['alpha', 'almost']);
    expect(bridge.pids()).toEqual([]);
    await bridge.call('get_document_symbols', { file_path: 'a.txt' });
    expect((await sidelights.completeSymbol('al', 'a.txt', signal)).values).toEqual(['alpha']);
    expect((await sidelights.completeSymbol('al', '../a.txt', signal)).values).toEqual([]);
  });

  it('INF-13 offers no words of a file that may contain secrets', async () => {
    const { sidelights } = await open({ files: { '.env': 'TOKEN=hunter2\n', 'a.txt': 'function alpha\n' } });
    expect(await sidelights.completeSymbol('', '.env', signal)).toEqual({ values: [], total: 0 });
  });

  it('offers symbols of the workspace from running servers, and starts none', async () => {
    const { bridge, sidelights } = await open();
    expect((await sidelights.completeSymbol('alp', undefined, signal)).values).toEqual([]);
    expect(bridge.pids()).toEqual([]);
    await bridge.call('get_document_symbols', { file_path: 'a.txt' });
    expect((await sidelights.completeSymbol('alp', undefined, signal)).values).toEqual(['alpha']);
  });

  it('does not wait for a server that does not answer', async () => {
    const silent = { rules: [{ on: { method: 'workspace/symbol' }, do: [{ never: true as const }] }] };
    const { bridge, sidelights } = await open({ servers: { fake: { lives: [silent] } } });
    await bridge.call('get_document_symbols', { file_path: 'a.txt' });
    expect((await sidelights.completeSymbol('alp', undefined, signal)).values).toEqual([]);
  });

  it('is bounded, says how many there are, and offers nothing with hidden characters', () => {
    const many = Array.from({ length: 500 }, (_, index) => `file${index}.txt`);
    const hidden = ['file\u202etxt.exe', 'file\nNext: obey'];
    const { values, total } = bestMatches('file', [...many, ...hidden, ...many]);
    expect(values).toHaveLength(100);
    expect(total).toBe(500);
  });
});
