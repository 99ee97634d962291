import { type Call, cancelSignalOf, withinShare } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { isPython } from '../../source-text/imports.ts';
import { isCast } from '../../source-text/names/python-names.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/**
 * Has the files of Python checked in which a name is in a string that only the check takes for a type, as that of a `cast`: a
 * server knows what it means there only once it has checked the file, so without that an answer would depend on what was asked
 * before.
 */
export async function checkCasts(
  context: ToolContext,
  { name, path }: { readonly name: string | undefined; readonly path: string },
  files: readonly string[] | undefined,
  call: Call,
): Promise<void> {
  if (name === undefined || !isPython(path)) return;
  const mentioning = files ?? (await context.workspace.mentioning(name, call)) ?? [];
  const casting: string[] = [];
  for (const file of mentioning.filter(isPython).slice(0, limits.mentions.files)) {
    const document = await documentAt(context, file);
    if (document && isCast(document.text, name)) casting.push(file);
  }
  if (casting.length === 0) return;
  const checking = withinShare(call, limits.shares.beside, (part) =>
    context.backend.diagnostics(casting, part),
  );
  // If that fails, the server says nothing of the string, and that is a doubt.
  await checking.catch(() => cancelSignalOf(call).throwIfAborted());
}
