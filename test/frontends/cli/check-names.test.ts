import { expect, it } from 'vitest';
import { checkNames } from '../../../src/frontends/cli/check-names.ts';
import type { CatalogueSurface, CatalogueTool } from '../../../src/surfaces/catalogue-fields.ts';

const tool = (toolset: string): CatalogueTool => ({
  name: `${toolset}_tool`,
  title: '',
  description: '',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  toolset,
  listed: true,
  effects: 'none',
});

const catalogue: readonly CatalogueSurface[] = [
  {
    name: 'lspan',
    serverName: 'lspan',
    instructions: '',
    tools: ['navigation', 'symbols', 'symbols'].map(tool),
    prompts: [],
    resources: false,
  },
  {
    name: 'pathfinder',
    serverName: 'pathfinder',
    instructions: '',
    tools: [tool('navigation')],
    prompts: [],
    resources: false,
  },
];

it.each([
  ['lspan', []],
  ['lspan', ['symbols', 'navigation']],
  ['lspan', ['all']],
  ['pathfinder', ['navigation']],
])('the surface %s with the toolsets %j is known', (surface, toolsets) => {
  expect(() => checkNames(catalogue, { surface, toolsets }, 'mcp')).not.toThrow();
});

it.each([
  ['lspna', [], /Unknown surface lspna\. Did you mean lspan\?/],
  ['other', [], /Unknown surface other\. Known: lspan, pathfinder\./],
  ['lspan', ['symbol'], /Unknown toolset symbol\. Did you mean symbols\?/],
  ['pathfinder', ['symbols'], /Unknown toolset symbols\. Known: navigation, all\./],
])('the surface %s with the toolsets %j is unknown', (surface, toolsets, message) => {
  expect(() => checkNames(catalogue, { surface, toolsets }, 'mcp')).toThrow(message);
});

it('an unknown name points to the help of the given command', () => {
  const given = { surface: 'other', toolsets: [] };
  expect(() => checkNames(catalogue, given, 'serve')).toThrow(/See: lspan help serve$/);
});
