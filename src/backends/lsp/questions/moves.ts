import { basename, dirname } from 'node:path';
import type { Call } from '../../../core/call.ts';
import type { FileMove } from '../../../core/question.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { joinProposals, ownSteps, readProposal, withSeen } from '../convert/proposal.ts';
import { movedFiles, renameParams, wantedMoves } from './file-operations.ts';
import type { Row } from './row.ts';

/** Edits for file moves: asks every interested server about the moves that match its filters. */
export const movesRow: Row<'moves'> = {
  method: 'workspace/willRenameFiles',
  capability: 'workspace.fileOperations.willRename',
  optional: {
    wants: ({ moves }, options, workspace) => wantedMoves(options, moves, workspace.files()).length > 0,
    nothing: { proposal: { steps: [], confirm: [] }, servers: [] },
  },
  union: (answers) => ({
    proposal: joinProposals(answers.map(({ proposal }) => proposal)),
    servers: answers.flatMap(({ servers }) => servers),
  }),
  keepOwn: ({ proposal, servers }, isOwn, workspace) => {
    const steps = proposal.steps.filter(
      (step) => step.kind !== 'edit' || isOwn(workspace.fromUri(step.uri).path),
    );
    return { servers, proposal: { ...proposal, steps } };
  },
  search: { found: () => [] },
  path: () => undefined,
  candidateFiles: ({ moves }, workspace, call) => concernedBy(moves, workspace, call),
  // For a mere mention, start other servers only if they are known to answer.
  appliesTo: ({ moves }, definition, workspace) =>
    definition.answers !== undefined ||
    filesOf(moves, workspace).some((file) => languageOf(file, definition) !== undefined),
  params: async ({ moves }, { workspace }) => renameParams(moves, workspace),
  request: async ({ moves }, { workspace }, { options, send }) =>
    send(renameParams(wantedMoves(options, moves, workspace.files()), workspace)),
  answer: async (raw, _question, translation) => ({
    proposal: await withSeen(ownSteps(readProposal(raw, translation), translation), translation),
    servers: [translation.server],
  }),
  count: ({ proposal }) => proposal.steps.length,
};

/** Returns the moved files and all that mention their names, as importers do; `undefined` for any file. */
async function concernedBy(
  moves: readonly FileMove[],
  workspace: Workspace,
  call: Call,
): Promise<readonly string[] | undefined> {
  const files = new Set(filesOf(moves, workspace));
  for (const name of new Set(moves.flatMap(({ from }) => namesOf(from)))) {
    const mentioning = await workspace.mentioning(name, call);
    if (mentioning === undefined) return undefined;
    for (const file of mentioning) files.add(file);
  }
  return [...files];
}

function filesOf(moves: readonly FileMove[], workspace: Workspace): readonly string[] {
  return moves.flatMap((move) => movedFiles(move, workspace.files()).map(({ from }) => from));
}

/** Returns the names under which a path is imported: an index file also under the name of its folder. */
function namesOf(path: string): readonly string[] {
  const [stem = ''] = basename(path).split('.');
  const name = stem === '' ? basename(path) : stem;
  return ['index', '__init__', 'mod'].includes(name) ? [name, basename(dirname(path))] : [name];
}
