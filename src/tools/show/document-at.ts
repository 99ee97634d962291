import type { Document } from '../../workspace/texts/document.ts';
import type { World } from '../run/tool.ts';

/** The text of a file as of the latest barrier; nothing where it is gone by now, or is no text. */
export async function documentAt(
  { workspace }: Pick<World, 'workspace'>,
  path: string,
): Promise<Document | undefined> {
  return workspace.known(path) ?? (await workspace.read(path).catch(() => undefined));
}
