import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '../../src/version.ts';
import { makeProject, runExample } from './run-example.ts';

const script = 'host/host.mjs';

// Beyond ASCII, so that frames whose length is counted in characters would break.
const files = { 'src/main.ts': "export const greeting: number = 'Grüße, 世界 🌍';\n" };

const printed = `lspan <version> serves <project>

Problems of the saved text: 1
  src/main.ts:1:14 error: Type 'string' is not assignable to type 'number'.

Problems of an unsaved text: 2
  src/main.ts:1:14 error: Type 'string' is not assignable to type 'number'.
  src/main.ts:3:14 error: Type 'string' is not assignable to type 'number'.

lsp-navigation offers lsp_goto_definition, lsp_find_references, lsp_hover, lsp_document_symbols, lsp_workspace_symbols, lsp_diagnostics

lsp_document_symbols src/main.ts
variable greeting [line 1]
variable unsaved [line 3]

The edit was applied. The file has 2 errors:
<diagnostics file="src/main.ts">
ERROR [1:14] Type 'string' is not assignable to type 'number'. (2322)
ERROR [3:32] Cannot find name 'missing'. (2304)
</diagnostics>

find_references unsaved
1 reference in 1 file
src/main.ts
  3:14 export const unsaved: number = missing;

Running: typescript

lspan has ended with exit code 0
`;

describe('examples/host', () => {
  it('TRN-25 speaks RPC and MCP to one lspan, on five descriptors, about a text that is not saved', async () => {
    const project = makeProject(files);
    const ran = await runExample(script, [project, 'src/main.ts'], project);
    expect(ran.code).toBe(0);
    expect(ran.printed.replaceAll(version, '<version>').replaceAll(project, '<project>')).toBe(printed);
    expect(readFileSync(path.join(project, 'src/main.ts'), 'utf8')).toBe(files['src/main.ts']);
  });

  it('tells what lspan refuses: a folder that is missing', async () => {
    const project = makeProject({});
    const ran = await runExample(script, [path.join(project, 'missing'), 'a.ts'], project);
    expect(ran).toMatchObject({ code: 1, printed: '' });
    expect(ran.told).toMatch(/^lspan: .*missing.*\nhost: lspan ended by exit code 1\.\n$/);
  });

  it('tells what lspan answers by an error: a file outside of the workspace', async () => {
    const project = makeProject({});
    const ran = await runExample(script, [project, '../../etc/passwd'], project);
    expect(ran.code).toBe(1);
    expect(ran.told).toMatch(/host: .*\nNext: /);
  });

  it('shows its usage where it is not told about which file', async () => {
    const ran = await runExample(script, ['.'], makeProject({}));
    expect(ran).toMatchObject({ code: 2, printed: '' });
    expect(ran.told).toContain('Usage: ');
  });
});
