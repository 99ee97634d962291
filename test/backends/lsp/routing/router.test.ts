import path from 'node:path';
import { expect, it } from 'vitest';
import { MemoryBudget } from '../../../../src/backends/lsp/process/memory-budget.ts';
import { Installed, Router } from '../../../../src/backends/lsp/routing/router.ts';
import { ServerSlot } from '../../../../src/backends/lsp/session/server-slot.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { silent } from '../../../../src/core/log.ts';
import { untrusted } from '../../../../src/core/trust.ts';
import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import { openSandbox, temporaryFolder } from '../../../workspace/sandbox.ts';

class StubSlot extends ServerSlot {
  crashing = false;

  override get circuitOpen(): LspanError | undefined {
    return this.crashing ? new LspanError('server_crashed', 'It crashed too often.') : undefined;
  }
}

/** Two servers of one group, of which the first is preferred, and those that are installed. */
async function routerOver(installed: readonly string[]) {
  const root = temporaryFolder();
  const { workspace } = await openSandbox([root]);
  const definition = (id: string, rank: number): ServerDefinition => ({
    id,
    group: 'one',
    rank,
    extensions: { txt: 'text' },
    program: { sources: [], args: [] },
    ready: { kind: 'immediate' },
    install: '',
  });
  const slots = new Map<string, StubSlot>();
  const router = new Router({
    definitions: [definition('second', 1), definition('first', 2)],
    workspace,
    trusts: () => untrusted,
    room: 8,
    find: ({ id }) =>
      installed.includes(id)
        ? { file: id, real: id, args: [], origin: 'test' }
        : new LspanError('not_installed', 'It is nowhere.'),
    open: (one, at) => {
      const slot = new StubSlot(one, at, () => Promise.reject(new Error('nobody starts it')), silent);
      slots.set(one.id, slot);
      return slot;
    },
  });
  const chosen = () =>
    router.forFile(path.join(workspace.roots[0] ?? root, 'a.txt'), 'hover').map((slot) => slot.definition.id);
  return { chosen, slots };
}

it('of a group the installed server of the highest rank is asked', async () => {
  expect((await routerOver(['first', 'second'])).chosen()).toEqual(['first']);
  expect((await routerOver(['second'])).chosen()).toEqual(['second']);
});

it('where none of a group is installed, the preferred one is asked, which says how to install it', async () => {
  expect((await routerOver([])).chosen()).toEqual(['first']);
});

it('while the preferred server is left alone for its crashes, the next of its group steps in', async () => {
  const { chosen, slots } = await routerOver(['first', 'second']);
  expect(chosen()).toEqual(['first']);
  const first = slots.get('first') ?? expect.unreachable();
  first.crashing = true;
  expect(chosen()).toEqual(['second']);
  first.crashing = false;
  expect(chosen()).toEqual(['first']);
});

it('a server that serves only some folders is not told to be asked first everywhere', () => {
  const definition = (id: string, more: Partial<ServerDefinition>): ServerDefinition => ({
    id,
    group: 'one',
    extensions: { txt: 'text' },
    program: { sources: [], args: [] },
    ready: { kind: 'immediate' },
    install: '',
    ...more,
  });
  const plain = definition('plain', { rank: 1 });
  const local = definition('local', { rank: 2, files: { onlyBelow: ['local.json'] } });
  const better = definition('better', { rank: 2 });
  const found = () => ({ file: '', real: '', args: [], origin: '' });
  expect(new Installed([plain, local], found).preferredTo(plain)).toBeUndefined();
  expect(new Installed([plain, better], found).preferredTo(plain)).toBe('better');
});

it('PRC-23 nothing stays in a budget of a thousand routers that shared it', async () => {
  const { workspace } = await openSandbox([temporaryFolder()]);
  const budget = new MemoryBudget({ machine: () => 2_000 });
  const missing = new LspanError('not_installed', 'It is nowhere.');
  const open = (definition: ServerDefinition, root: string) =>
    new ServerSlot(definition, root, () => Promise.reject(missing), silent);
  const common = { definitions: [], workspace, trusts: () => untrusted, room: 8, find: () => missing, open };
  const routers = Array.from(
    { length: 1_000 },
    (_, index) => new Router({ ...common, memory: { budget, most: index + 1 } }),
  );
  expect(budget.use.most).toBe(1);
  await Promise.all(routers.map((router) => router.close({})));
  expect(budget.use).toEqual({ servers: 0, used: 0, most: 1_000 });
});
