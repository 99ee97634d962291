import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { problemDoubts } from '../../tools/show/problem-doubts.ts';
import { checkDoubts } from './check-doubts.ts';
import { contractTool } from './contract-tool.ts';
import { toDiagnostics } from './diagnostics.ts';
import { openFile } from './open-place.ts';
import { diagnostic, filtered, uri } from './shapes.ts';

/** Lists the problems of a file. */
export const documentDiagnostics = contractTool({
  name: 'vscode.lsp.diagnostics.document',
  title: 'Diagnostics of a document',
  toolset: 'quality',
  description: 'The problems that language servers report for the current text of a file on disk.',
  input: z.strictObject({ uri }),
  output: z.strictObject({ uri: z.string(), diagnostics: z.array(diagnostic), filtered }),
  noun: 'diagnostic',
  list: 'diagnostics',
  instead: 'vscode.lsp.diagnostics.workspace lists the same in pages, once this file was checked.',
  async answer(context, input, call) {
    const path = await openFile(context, input.uri);
    const reply = await context.backend.diagnostics([path], call);
    const own = reply.answer.filter((file) => file.path === path);
    const doubts = checkDoubts([...reply.doubts, ...problemDoubts(context, own)]);
    if (own.every(({ state }) => state === 'unavailable'))
      throw unchecked(doubts.map(({ detail }) => detail));
    const diagnostics = await toDiagnostics(own.flatMap(({ problems }) => problems));
    const data = { uri: context.workspace.uri(path), diagnostics: [...diagnostics], filtered: 0 };
    return { data, doubts };
  },
});

/** Silence must not be read as "no problems". */
function unchecked(why: readonly string[]): LspanError {
  return new LspanError('server_unverified', ['No server could check this file.', ...why].join(' '));
}
