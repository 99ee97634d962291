import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Router } from '../../../../src/backends/lsp/routing/router.ts';
import { ServerSlot } from '../../../../src/backends/lsp/session/server-slot.ts';
import { silent } from '../../../../src/core/log.ts';
import { untrusted } from '../../../../src/core/trust.ts';
import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import { openSandbox, temporaryFolder } from '../../../workspace/sandbox.ts';

const common = { program: { sources: [], args: [] }, ready: { kind: 'immediate' }, install: '' } as const;
const definitions: readonly ServerDefinition[] = [
  { ...common, id: 'plain', group: 'script', rank: 1, extensions: { ts: 'typescript' } },
  {
    ...common,
    id: 'below',
    group: 'script',
    rank: 3,
    extensions: { ts: 'typescript' },
    files: { onlyBelow: ['its.json'] },
  },
  {
    ...common,
    id: 'beside',
    group: 'script',
    rank: 2,
    extensions: { ts: 'typescript' },
    files: { onlyWithExtensions: ['vue'] },
  },
];

/** A router over a project with these files, and which servers it picks. */
async function routerOver(files: readonly string[]) {
  const root = temporaryFolder(Object.fromEntries(files.map((file) => [file, ''])));
  const { workspace, refresh } = await openSandbox([root]);
  await refresh();
  workspace.onChanges((changes) => router.note(changes));
  const router: Router = new Router({
    definitions,
    workspace,
    trusts: () => untrusted,
    room: 8,
    find: ({ id }) => ({ file: id, real: id, args: [], origin: 'test' }),
    open: (one, root) =>
      new ServerSlot(one, root, () => Promise.reject(new Error('nobody starts it')), silent),
  });
  const ids = (slots: readonly ServerSlot[]) => slots.map(({ definition }) => definition.id).sort();
  return {
    root,
    refresh,
    forFile: (file: string) => ids(router.forFile(path.join(root, file), 'hover')),
    forWorkspace: () => ids(router.forWorkspace('symbols')),
  };
}

it('a server that serves only below a folder is asked there and nowhere else', async () => {
  const { forFile, forWorkspace } = await routerOver(['a/its.json', 'a/b/in.ts', 'out.ts']);
  expect(forFile('a/b/in.ts')).toEqual(['below']);
  expect(forFile('out.ts')).toEqual(['plain']);
  expect(forWorkspace()).toEqual(['below', 'plain']);
});

it('a server that serves only beside files of a kind is asked as soon as there is one, until there is none', async () => {
  const { root, refresh, forFile, forWorkspace } = await routerOver(['a.ts']);
  expect(forFile('a.ts')).toEqual(['plain']);
  writeFileSync(path.join(root, 'App.vue'), '');
  await refresh();
  expect(forFile('a.ts')).toEqual(['beside']);
  expect(forWorkspace()).toEqual(['beside']);
  rmSync(path.join(root, 'App.vue'));
  await refresh();
  expect(forFile('a.ts')).toEqual(['plain']);
});
