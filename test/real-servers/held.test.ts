import { expect, it } from 'vitest';
import { servers as builtIn } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { openTestBridge } from '../test-bridge.ts';

const files = {
  'tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"], "strict": true, "module": "nodenext" } }\n',
  'a.ts': 'export function greet(name: string): string {\n  return name;\n}\n',
  'b.ts': 'import { greet } from "./a.js";\ngreet("b");\n',
};

it('an error that a program around lspan has typed but not saved is seen from other files until it is given back', {
  timeout: 120_000,
}, async () => {
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => id !== 'typescript');
  const bridge = await openTestBridge({ files, servers: {}, config: { ...patient, disabledServers } });
  const problems = async () => {
    const file_paths = ['a.ts', 'b.ts'];
    const { data } = await bridge.call('get_diagnostics', { file_paths, min_severity: 'error' });
    return data;
  };
  const references = async () => {
    const input = { file_path: 'b.ts', line: 2, character: 1, include_declaration: true };
    return (await bridge.call('find_references', input)).data;
  };
  expect(await problems()).toMatchObject({ complete: true, diagnostics: [] });
  bridge.hostApi?.hold(
    'a.ts',
    '\nexport function greet(count: number): number {\n  return greet(count);\n}\n',
  );
  expect(await problems()).toMatchObject({
    complete: true,
    diagnostics: [{ file_path: 'b.ts', line: 2, character: 7 }],
  });
  expect(await references()).toMatchObject({
    complete: true,
    references: [
      { file_path: 'a.ts', line: 2, character: 17, text: 'export function greet(count: number): number {' },
      { file_path: 'a.ts', line: 3, character: 10 },
      { file_path: 'b.ts', line: 1 },
      { file_path: 'b.ts', line: 2 },
    ],
  });
  const rename = { file_path: 'b.ts', line: 2, character: 1, symbol_name: 'greet', new_name: 'hail' };
  expect(await bridge.call('rename_symbol', rename)).toMatchObject({ data: { error: { code: 'refused' } } });
  bridge.hostApi?.hold('a.ts', null);
  expect(await problems()).toMatchObject({ complete: true, diagnostics: [] });
  expect(await references()).toMatchObject({ complete: true, total: 3 });
});
