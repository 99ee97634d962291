import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { realFileSystem } from '../../../src/edits/disk/file-system.ts';
import { closedFolder, folderFacts } from '../../../src/platform/files/folder-facts.ts';
import { openSandbox, temporaryFolder } from '../sandbox.ts';

const isRoot = process.getuid?.() === 0;

describe('records of edits in a folder that may not be entered', () => {
  it('are an error that names the folder and says what helps', () => {
    const { state, open } = openSandbox();
    const records = path.join(state, 'edits');
    const look: typeof realFileSystem.look = (file) => {
      if (!file.startsWith(records)) return realFileSystem.look(file);
      throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'lstat', path: file });
    };
    const engine = open({ files: { ...realFileSystem, look } });
    for (const ask of [() => engine.history(), () => engine.interrupted(), () => engine.planUndo(undefined)])
      expect(ask).toThrow(
        expect.objectContaining({
          code: 'refused',
          message: expect.stringContaining(`you may not open "${records}"`),
          nextStep: expect.stringContaining(`chmod 700 ${records}`),
        }),
      );
  });

  it.skipIf(isRoot)(
    'are told from those that are missing: the first closed folder on the way is named',
    () => {
      const home = temporaryFolder('lspan-closed-');
      const closed = path.join(home, 'closed');
      mkdirSync(closed, { mode: 0o000 });
      onTestFinished(() => chmodSync(closed, 0o700));
      expect(closedFolder(path.join(closed, 'lspan/edits'))).toEqual({ path: closed, mayOpen: true });
      expect(closedFolder(path.join(home, 'open/edits'))).toBeUndefined();
      expect(folderFacts(path.join(closed, 'lspan'))).toMatchObject({
        exists: false,
        isWritable: false,
        closed: { path: closed, mayOpen: true },
      });
    },
  );
});
