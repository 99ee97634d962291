import type { ServerSelector } from '../../../core/backend.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** Whether a selector means a server: every part of it must fit. */
export function isSelected(
  { id, extensions: served }: ServerDefinition,
  { server, language, extensions }: ServerSelector,
): boolean {
  if (server !== undefined && id !== server) return false;
  if (language !== undefined && !Object.values(served).includes(language)) return false;
  return extensions === undefined || extensions.some((name) => Object.hasOwn(served, name));
}
