import type { Surface } from '../surface.ts';
import { definition } from './definition.ts';
import { documentDiagnostics } from './document-diagnostics.ts';
import { documentSymbols } from './document-symbols.ts';
import { hover } from './hover.ts';
import { references } from './references.ts';
import { workspaceDiagnostics } from './workspace-diagnostics.ts';
import { workspaceSymbols } from './workspace-symbols.ts';

/** The seven tools of the gateway by its contract: docs/CONTRACT.md. */
export const gateway: Surface = {
  name: 'gateway',
  serverName: 'mcp-lsp-gateway',
  instructions:
    'Read-only questions to language servers about this workspace, fresh against the disk. Files are file:///absolute/path ' +
    'URIs inside the workspace; positions count from 0, characters in UTF-16 units, and must be in the text. ' +
    'Continue pages with nextCursor and the same arguments. An answer with `complete: false` says why in `doubts`; ' +
    '`filtered` counts omitted results outside the workspace. Errors have `data.code` and `data.nextStep`.',
  tools: [
    definition,
    references,
    hover,
    documentSymbols,
    workspaceSymbols,
    documentDiagnostics,
    workspaceDiagnostics,
  ],
  prompts: [],
  resources: false,
  contract: true,
};
