import { mkdirSync } from 'node:fs';
import type { Plan } from '../../src/edits/plan.ts';
import { everyChange, everyThing } from './everything.ts';
import { type Sandbox, sandboxIn } from './sandbox-in.ts';

/** A sandbox, and what is to be done in it. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly plan: Plan;
}

/** Everything that an edit can do. */
export function everything(folder: string): Scene {
  const sandbox = sandboxIn(folder, everyThing);
  return { sandbox, plan: sandbox.open().plan(everyChange(sandbox), { title: 'everything' }) };
}

/** Edits, new files and a removed folder in a folder that is moved twice. */
export function inMovedFolders(folder: string): Scene {
  const sandbox = sandboxIn(folder, { 'old/a.ts': 'a\n', 'old/deep/b.ts': 'b\n', 'old/c.ts': 'c\n' });
  const { steps } = sandbox.proposal(
    { write: 'old/a.ts', text: 'A\n' },
    { write: 'old/deep/b.ts', text: 'B\n' },
  );
  const elsewhere = steps.map((step) =>
    'uri' in step ? { ...step, uri: step.uri.replace('/old/', '/new/') } : step,
  );
  const moved = sandbox.proposal({ move: 'old', to: 'new' }).steps;
  const then = sandbox.proposal(
    { create: 'new/made.ts', text: 'made\n' },
    { create: 'new/more/made.ts', text: 'made\n' },
    { move: 'new/c.ts', to: 'c.ts' },
    { move: 'new', to: 'there' },
    { remove: 'there/deep' },
  ).steps;
  const proposal = { steps: [...moved, ...elsewhere, ...then], confirm: [] };
  return { sandbox, plan: sandbox.open().plan(proposal, { title: 'moves' }) };
}

/** Files that go from one folder to another, to a new one, and out of one that is removed with an empty one. */
export function betweenFolders(folder: string): Scene {
  const sandbox = sandboxIn(folder, {
    'one/a.ts': 'a\n',
    'one/b.ts': 'b\n',
    'two/c.ts': 'c\n',
    'gone/d.ts': 'd\n',
  });
  // When it is made again, nothing is put into it that would be waited for.
  mkdirSync(sandbox.at('gone/empty'));
  const proposal = sandbox.proposal(
    { move: 'one/a.ts', to: 'two/a.ts' },
    { move: 'two/c.ts', to: 'three/c.ts' },
    { move: 'gone/d.ts', to: 'two/d.ts' },
    { move: 'one/b.ts', to: 'one/B2.ts' },
    { create: 'one/a.ts', text: 'another\n' },
    { remove: 'gone' },
  );
  return { sandbox, plan: sandbox.open().plan(proposal, { title: 'moves' }) };
}
