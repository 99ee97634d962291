import type { Proposal } from '../../src/core/proposal.ts';
import type { Sandbox } from './sandbox-in.ts';

/** Files of a project on which everything can be done that an edit can do. */
export const everyThing = {
  'a.ts': 'one\n',
  'b.ts': 'two\n',
  'gone.ts': 'bye\n',
  'old.ts': 'name\n',
  'folder/x.ts': 'x\n',
  'folder/deep/y.ts': 'y\n',
  'tree/leaf.ts': 'leaf\n',
  'tree/branch/link': '-> ../leaf.ts',
};

/** Edits, a file in new folders, a removed file and folder, a renamed file, and a folder that moves with an edited file. */
export function everyChange(sandbox: Sandbox): Proposal {
  return sandbox.proposal(
    { write: 'a.ts', text: 'ONE\n' },
    { write: 'b.ts', text: 'TWO\n' },
    { create: 'made/here/new.ts', text: 'new\n' },
    { remove: 'gone.ts' },
    { move: 'old.ts', to: 'moved.ts' },
    { write: 'folder/deep/y.ts', text: 'Y\n' },
    { move: 'folder', to: 'elsewhere' },
    { remove: 'tree' },
  );
}
