import { expect, it } from 'vitest';
import { servers as builtIn } from '../../src/servers/index.ts';
import { formatDiagnostics } from '../../src/tools/host/format-diagnostics.ts';
import { patient } from '../patient.ts';
import { openTestDesk } from '../tools/host/open-host-api.ts';

const files = {
  'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "nodenext" } }\n',
  'a.ts': 'export function greet(name: string): string {\n  return name;\n}\n',
  'b.ts': 'import { greet } from "./a.js";\nexport const b = greet("b");\n',
};

it('a real server checks texts that are given, held and on the disk, each for what it is', {
  timeout: 120_000,
}, async () => {
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => id !== 'typescript');
  const { bridge, desk } = await openTestDesk({
    files,
    servers: {},
    config: { ...patient, disabledServers },
  });
  const check = async (file: string, text?: string) => {
    const { problems, doubts } = await desk.check(file, text);
    return [...problems.map(({ line, column, code }) => `${line}:${column} ${code}`), ...doubts];
  };
  expect(await check('b.ts')).toEqual([]);
  const wrong = 'import { greet } from "./a.js";\n\nexport const b: number = greet("b");\n';
  const [given, disk, tools] = await Promise.all([
    check('b.ts', wrong),
    check('b.ts'),
    bridge.call('get_diagnostics', { file_path: 'b.ts' }),
  ]);
  expect({ given, disk }).toEqual({ given: ['3:14 2322'], disk: [] });
  expect(tools.data).toMatchObject({ complete: true, diagnostics: [] });
  expect(await check('new.ts', 'import { greet } from "./a.js";\ngreet(1);\n')).toEqual(['2:7 2345']);
  desk.hold('a.ts', files['a.ts'].replace('name: string', 'name: number'));
  expect(await check('b.ts')).toEqual(['2:24 2345']);
  desk.hold('a.ts', null);
  expect(await check('b.ts')).toEqual([]);
  bridge.write('b.ts', wrong);
  const { file, problems } = await desk.check('b.ts', wrong);
  expect(formatDiagnostics(file, { [file]: problems })).toBe(
    [
      'The edit was applied. The file has 1 error:',
      '<diagnostics file="b.ts">',
      "ERROR [3:14] Type 'string' is not assignable to type 'number'. (2322)",
      '</diagnostics>',
    ].join('\n'),
  );
  expect(await desk.servers()).toMatchObject([{ serverId: 'typescript', state: 'ok' }]);
});
