import type { Place } from '../../../core/question.ts';
import { object } from '../../../core/runtime/json.ts';
import { languageOf } from '../../../servers/language-of.ts';
import { readRename } from '../convert/proposal.ts';
import { positionParams } from '../convert/translation.ts';
import { withMoveEdits } from './edits-of-moves.ts';
import { renameExports } from './renames/rename-exports.ts';
import { renameImports, renameInOtherFolders, withMissed } from './renames/rename-imports.ts';
import type { Row } from './row.ts';

/** Renames a symbol: first asks whether that is possible, if the server supports it. */
export const renameRow: Row<'rename'> = {
  method: 'textDocument/rename',
  capability: 'renameProvider',
  refusal: {
    what: 'to rename this',
    nextStep: 'Point at the declaration of a symbol of this workspace, and give a name that is free there.',
  },
  search: {
    from: ({ place }) => place,
    found: (rename) => rename?.spans ?? [],
    follow: async (first, { place, newName }, { definition, workspace, again, means }, call) => {
      if (!first || !definition.edits?.renamesByAlias) return { answer: first, doubts: [] };
      const served = async (at: Place) => (languageOf(at.path, definition) ? again(at) : undefined);
      const following = { server: definition.id, workspace, again: served, means };
      return renameImports(following, first, { place, newName }, call);
    },
    add: async (rename, find, { place, newName }, { definition, workspace, again, means }, call) => {
      if (!rename) return { answer: rename, doubts: [] };
      const { answer, doubts } = await find(rename.spans);
      const missed = await withMissed(rename, place, answer, workspace);
      const following = { workspace, means };
      const known = definition.search?.unreported
        ? await renameExports(following, missed, { place, newName }, call)
        : missed;
      if (!definition.projects?.workspaceFolders) return { answer: known, doubts };
      return { answer: await renameInOtherFolders(known, again, call), doubts };
    },
  },
  path: ({ place }) => place.path,
  params: async ({ place, newName }, translation) => ({
    ...(await positionParams(place, translation)),
    newName,
  }),
  request: async (question, translation, { options, send }) => {
    const asks = options.some(({ prepareProvider }) => prepareProvider === true);
    const where = await positionParams(question.place, translation);
    if (asks && !isAllowed(await send(where, 'textDocument/prepareRename'))) return null;
    return send({ ...where, newName: question.newName });
  },
  answer: (raw, _question, translation, line) =>
    readRename(raw, translation, (proposal) => withMoveEdits(proposal, translation, line)),
  addFromOtherServers: async ({ place }, rename, find, workspace) => {
    if (!rename) return { answer: rename, doubts: [] };
    const { answer, doubts } = await find(place, [...rename.spans, ...rename.missed]);
    return { answer: await withMissed(rename, place, answer, workspace), doubts };
  },
  count: (rename) => rename?.proposal.steps.length ?? 0,
};

/** Anything but null allows the rename: a range, with or without a placeholder, or the default behavior. */
function isAllowed(raw: unknown): boolean {
  return raw !== null && object(raw).defaultBehavior !== false;
}
