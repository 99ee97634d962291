import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';

/** Returns the text of a file as of the latest barrier, or `undefined` if it is gone by now or not a text. */
export async function documentAt(
  { workspace }: Pick<ToolContext, 'workspace'>,
  path: string,
): Promise<Document | undefined> {
  return workspace.cached(path) ?? (await workspace.read(path).catch(() => undefined));
}
