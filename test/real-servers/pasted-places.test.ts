import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../test-bridge.ts';
import { expectPastable, expectSameTwice, readQuestions } from '../tools/read-questions.ts';
import { writeFiles } from '../workspace/sandbox.ts';

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["es2022"], "types": [] } }',
  'src/shape.ts': `/** What has an area. */
export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private readonly side: number) {}

  area(): number {
    return this.side * this.side;
  }
}

export function total(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), 0);
}
`,
  'src/main.ts': `import { Square, total } from './shape';

// total of two squares 😀
export const sum: string = total([new Square(2), new Square(3)]);
console.log(\`total \${sum}\`, Math.max(total([]), 1));
export const wide = '😀' + total([]);
`,
};
const subjects = [
  { file_path: 'src/main.ts', line: 4, character: 28, name: 'total' },
  { file_path: 'src/shape.ts', line: 2, character: 18, name: 'Shape' },
  { file_path: 'src/shape.ts', line: 3, character: 3, name: 'area' },
  { file_path: 'src/main.ts', line: 5, character: 36, name: 'max' },
];

it('every place of a real project can be pasted into the next call, and the same question gives the same bytes', async () => {
  const root = temporaryFolder('lspan-project-');
  writeFiles(root, files);
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => id !== 'typescript'),
    },
  });
  onTestFinished(() => bridge.close());
  const questions = subjects.flatMap(readQuestions);
  expect(await expectPastable(bridge, questions)).toBeGreaterThanOrEqual(20);
  await expectSameTwice(bridge, questions);
});
