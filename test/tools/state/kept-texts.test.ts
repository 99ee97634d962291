import { expect, it } from 'vitest';
import { KeptTexts, type TextBefore } from '../../../src/tools/state/kept-texts.ts';
import type { Change } from '../../../src/workspace/workspace.ts';

/** A workspace in memory, whose changes a test publishes. */
function workspaceOf(texts: Map<string, string>) {
  let publish: (changes: readonly Change[]) => void = () => {};
  const heard: [string, TextBefore][] = [];
  const kept = new KeptTexts({
    files: () => texts.keys(),
    readNow: (path) => texts.get(path),
    onChanges: (listener) => {
      publish = listener;
      return () => {};
    },
  });
  kept.onChange((path, before) => heard.push([path, before]));
  return { kept, heard, publish: (...changes: Change[]) => publish(changes) };
}

it('the text before a change is that of the last barrier', async () => {
  const texts = new Map([['/a', 'one']]);
  const { kept, heard, publish } = workspaceOf(texts);
  await kept.read();
  texts.set('/a', 'two');
  publish({ path: '/a', kind: 'changed' });
  await kept.read();
  texts.delete('/a');
  publish({ path: '/a', kind: 'deleted' });
  expect(heard).toEqual([
    ['/a', { kind: 'text', text: 'one' }],
    ['/a', { kind: 'text', text: 'two' }],
  ]);
});

it('a created file had no text, and a file that was not read has an unknown one', async () => {
  const { heard, publish } = workspaceOf(new Map());
  publish({ path: '/new', kind: 'created' }, { path: '/unread', kind: 'changed' });
  expect(heard).toEqual([
    ['/new', { kind: 'no_file' }],
    ['/unread', { kind: 'unknown' }],
  ]);
});

it('a file that appears with another rule of what is ignored may have been there before', async () => {
  const { heard, publish } = workspaceOf(new Map());
  publish({ path: '/.gitignore', kind: 'changed' }, { path: '/new', kind: 'created' });
  expect(heard).toContainEqual(['/new', { kind: 'unknown' }]);
});

it('texts that only a host program has are not told', async () => {
  const { heard, publish } = workspaceOf(new Map());
  publish({ path: '/a', kind: 'changed', unsaved: true });
  expect(heard).toEqual([]);
});
