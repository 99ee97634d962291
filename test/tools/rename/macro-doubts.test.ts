import { expect, it } from 'vitest';
import type { Rule } from '../../fake-server/script.ts';
import { openTestBridge } from '../../test-bridge.ts';
import { renamingScript, textOf } from './renaming-bridge.ts';

const files = {
  'a.cc': 'int alpha();\nint other = USED(1);\n',
  'b.h': '#define USED(c) (c).alpha()\n#define UNUSED(c) \\\n  (c).alpha()\n#define OWN(alpha) alpha\n',
  'c.cc': '\nint alpha_of = alpha();\n',
};

const noReferences: Rule = { on: { method: 'textDocument/references' }, do: [{ replyValue: [] }] };

const wanted = { file_path: 'a.cc', line: 1, character: 5, new_name: 'gamma', check: false };

it.each([
  ['that may use it', ['a.cc:0:4', 'c.cc:1:15'], 'b.h:1:21, b.h:3:7'],
  ['that the only file uses in which it is known', ['a.cc:0:4'], 'b.h:1:21, c.cc:2:16'],
])(
  'a rename over macros %s is in doubt, and is applied only if the doubt is accepted',
  async (_which, places, named) => {
    const script = renamingScript(places, 'gamma', 5, noReferences);
    const fake = { lives: [script], extensions: ['cc', 'h'] };
    const bridge = await openTestBridge({ files, servers: { fake } });
    const detail = expect.stringContaining(`the server cannot resolve them: ${named}.`);
    const { data } = await bridge.call('rename_symbol', wanted);
    expect(data).toMatchObject({ complete: false, doubts: [{ kind: 'unverified', detail }] });
    const refused = await bridge.call('rename_symbol', { ...wanted, dry_run: false });
    expect(refused).toMatchObject({ isError: true, data: { error: { code: 'refused' } } });
    await bridge.call('rename_symbol', { ...wanted, dry_run: false, allow_incomplete: true });
    expect(textOf(bridge, 'a.cc')).toContain('gamma');
  },
);
