import { type Call, cancelSignalOf } from '../../../core/call.ts';
import type { FileProblems } from '../../../core/problems.ts';
import { ResponseError } from '../../../jsonrpc/message.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Session } from '../session/session.ts';
import { spokenOf } from './ask-diagnostics.ts';

/** Returns whether a server checks files that are not open, by a command. */
export function checksClosed({ definition }: Session): boolean {
  return definition.diagnostics?.checkCommand?.diagnosticsOf !== undefined;
}

/** Asks by commands for the problems of a file that need not be open; `undefined` if the server did not check it. */
export async function askClosed(
  session: Session,
  workspace: Workspace,
  path: string,
  call: Call,
): Promise<FileProblems | undefined> {
  const { checkCommand } = session.definition.diagnostics ?? {};
  if (checkCommand?.diagnosticsOf === undefined) return undefined;
  const { command, arguments: first, others, last, diagnosticsOf } = checkCommand;
  const items: unknown[] = [];
  for (const ofKind of [...others, first, ...(last ? [last.arguments] : [])]) {
    const params = { command, arguments: ofKind(path) };
    const answer = await session
      .request('workspace/executeCommand', params, cancelSignalOf(call))
      .catch(refused);
    const found = diagnosticsOf(answer);
    if (found === undefined) return undefined;
    items.push(...found);
  }
  return spokenOf(session, await workspace.read(path), items, 'fresh');
}

/** A refusal is no check; the end of the server or of the call is rethrown. */
function refused(error: unknown): undefined {
  if (error instanceof ResponseError) return undefined;
  throw error;
}
