import { stateFolder } from '../../../config/state-folder.ts';
import { readTokenFile, tokenFileIn } from '../../../config/tokens/token-file.ts';
import { rotateTokens } from '../../../config/tokens/write-tokens.ts';
import { LspanError } from '../../../core/errors.ts';
import type { CommandLine, TokenAction } from '../parse-command-line.ts';
import type { Flags } from '../parse-flags.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';

type TokenCommand = Extract<CommandLine, { readonly kind: 'token' }>;

/** Runs `lspan token`. Prints nothing but the result, so that it can be piped. */
export async function runToken(
  { action, flags }: TokenCommand,
  { environment }: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const lines = actions[action](tokenFileIn(stateFolder(environment)), flags);
  await write(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

const actions: Readonly<Record<TokenAction, (file: string, flags: Flags) => readonly string[]>> = {
  show: tokensIn,
  path: (file) => [file],
  rotate: (file, { keep }) => [rotateTokens(file, { keep })],
};

function tokensIn(file: string): readonly string[] {
  const { tokens, fault } = readTokenFile(file);
  if (fault !== undefined) throw fault;
  if (tokens.length > 0) return tokens;
  const nextStep = 'Start lspan serve, or run: lspan token rotate';
  throw new LspanError('not_found', `There is no token yet. ${nextStep}`, { nextStep });
}
