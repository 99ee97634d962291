import { LspanError } from '../../core/errors.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import type { Rename, Span } from '../../core/questions.ts';
import { type Fault, readTextEdits, readWorkspaceEdit } from '../../core/read-workspace-edit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { readSpans } from './read-answers.ts';
import type { Translation } from './translation.ts';

/** What a server wants changed; nothing where it says so. */
export function readProposal(
  raw: unknown,
  { server, encoding }: Pick<Translation, 'server' | 'encoding'>,
): Proposal {
  return readWorkspaceEdit(raw ?? {}, encoding, faultOf(server));
}

/** Reads what a rename changes; the positions are about the texts that the server was told of. */
export async function readRename(raw: unknown, translation: Translation): Promise<Rename | undefined> {
  if (raw === null || raw === undefined) return undefined;
  const proposal = await withSeen(readProposal(raw, translation), translation.workspace);
  return { proposal, spans: await spansOf(proposal, translation), missed: [] };
}

/** Reads the edits that lay a document out. */
export async function readFormatting(
  raw: unknown,
  path: string,
  translation: Translation,
): Promise<Proposal> {
  const { server, encoding, workspace } = translation;
  const edits = readTextEdits(raw, faultOf(server));
  const step = { kind: 'edit' as const, uri: workspace.uri(path), encoding, edits };
  return withSeen({ steps: edits.length === 0 ? [] : [step], confirm: [] }, workspace);
}

/** One proposal of several. */
export function joinProposals(proposals: readonly Proposal[]): Proposal {
  return {
    steps: proposals.flatMap(({ steps }) => steps),
    confirm: proposals.flatMap(({ confirm }) => confirm),
  };
}

function faultOf(server: string): Fault {
  return (wrong) =>
    new LspanError('server_unverified', `${server} proposed an edit that ${wrong}; nothing was changed.`, {
      nextStep: 'Make the change in another way, and report it to the makers of the server.',
    });
}

/** Has each text be the one of the latest barrier, on which the server's positions are. */
export async function withSeen(proposal: Proposal, workspace: Workspace): Promise<Proposal> {
  const steps = proposal.steps.map(async (step): Promise<ProposedStep> => {
    if (step.kind !== 'edit') return step;
    const { path, standing } = workspace.admit(step.uri);
    const document = standing === 'inside' ? await workspace.read(path).catch(() => undefined) : undefined;
    return document ? { ...step, seen: document.hash } : step;
  });
  return { ...proposal, steps: await Promise.all(steps) };
}

async function spansOf({ steps }: Proposal, translation: Translation): Promise<readonly Span[]> {
  const locations = steps.flatMap((step) =>
    step.kind === 'edit' ? step.edits.map(({ range }) => ({ uri: step.uri, range })) : [],
  );
  return readSpans(locations, translation);
}
