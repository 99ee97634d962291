import type { Span } from '../../../core/question.ts';
import { list, object, text } from '../../../core/runtime/json.ts';
import { isInstalledPlace } from '../../../platform/files/installed-place.ts';
import { isPathWithin } from '../../../platform/files/path-within.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import type { Workspace } from '../../../workspace/workspace.ts';

/** What a model reads in place of a message that may quote a file outside the workspace. */
export const withheldMessage = 'The text is withheld: it may quote a file outside the workspace.';

/**
 * Returns whether a diagnostic names a related place in a file that may not be shown: outside the workspace, by its real
 * path, and no part of an installed library or toolchain. A server of C reports a fault of an included file at the line
 * that includes it, and quotes what is wrong: an include of any file, or of a link, would show its text.
 */
export function isRelatedToOutside(
  diagnostic: unknown,
  workspace: Pick<Workspace, 'fromUri'>,
  checkouts: readonly string[],
): boolean {
  return list(object(diagnostic).relatedInformation).some((related) => {
    const uri = text(object(object(related).location).uri);
    if (uri === undefined) return false;
    return isHiddenPlace(workspace.fromUri(uri), checkouts);
  });
}

/** True if a place may be named, but its text not shown: it is neither installed nor beside the roots in their checkouts. */
export function isHiddenPlace(
  { path, standing }: Pick<Span, 'path' | 'standing'>,
  checkouts: readonly string[],
): boolean {
  return (
    standing === 'outside' &&
    !isInstalledPlace(path) &&
    !checkouts.some((folder) => isPathWithin(folder, realFile(path)?.path ?? path))
  );
}
