import type { ServerDefinition } from '../backends/lsp/server-definition.ts';
import { basedpyright } from './basedpyright.ts';
import { pyright } from './pyright.ts';
import { typescript } from './typescript.ts';
import { typescriptLanguageServer } from './typescript-language-server.ts';

/** Every language server that lspan knows. */
export const servers: readonly ServerDefinition[] = [
  typescript,
  typescriptLanguageServer,
  pyright,
  basedpyright,
];
