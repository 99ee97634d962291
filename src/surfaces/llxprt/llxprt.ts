import type { Surface } from '../surface.ts';
import { diagnostics } from './diagnostics.ts';
import { documentSymbols } from './document-symbols.ts';
import { findReferences } from './find-references.ts';
import { gotoDefinition } from './goto-definition.ts';
import { hover } from './hover.ts';
import { workspaceSymbols } from './workspace-symbols.ts';

/** The navigation tools of LLxprt Code: six that read, with its names and its texts. */
export const llxprt: Surface = {
  name: 'llxprt',
  serverName: 'lsp-navigation',
  instructions:
    'Code navigation by real language servers, fresh against the disk. Lines and characters count from 1. ' +
    '"No ... found" comes only from ready servers; a list ends with what may be missing. ' +
    'To continue a list that ends in a cursor, add it to the same call. ' +
    'lsp_diagnostics checks the files that the tools with a `file` were asked about, and lists what servers know of others.',
  tools: [gotoDefinition, findReferences, hover, documentSymbols, workspaceSymbols, diagnostics],
  prompts: [],
  resources: false,
};
