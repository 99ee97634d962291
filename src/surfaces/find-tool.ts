import { LspanError } from '../core/errors.ts';
import type { Tool } from '../tools/run/tool.ts';
import { surfaces } from './index.ts';
import type { Surface } from './surface.ts';

/** Returns the surface of this name. Throws `invalid_input`. */
export function surfaceNamed(name: string): Surface {
  const surface = surfaces.find((one) => one.name === name);
  if (surface) return surface;
  const known = surfaces.map((one) => one.name).join(', ');
  throw new LspanError('invalid_input', `There is no surface ${JSON.stringify(name)}.`, {
    nextStep: `The surfaces are: ${known}.`,
  });
}

/** Returns the tool of this name, or why it is not offered. */
export function findTool(
  { tools, hookTools = [] }: Surface,
  name: string,
  readOnly: boolean,
): Tool | LspanError {
  const tool = [...tools, ...hookTools].find((one) => one.name === name);
  if (!tool) {
    return new LspanError('invalid_input', `There is no tool ${JSON.stringify(name)}.`, {
      nextStep: `The tools are: ${tools.map((one) => one.name).join(', ')}.`,
    });
  }
  if (!readOnly || tool.effects !== 'files') return tool;
  return new LspanError('refused', `${name} changes files, and lspan was started read-only.`, {
    nextStep: 'Start lspan without --read-only to allow changes.',
  });
}
