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
    '"No ... found" is said only by servers that are ready; what may be missing is told after a list. ' +
    'A list that ends in a cursor goes on by the same call with that cursor beside. ' +
    'lsp_diagnostics tells of files that servers have looked at, and the tools with a `file` have them look.',
  tools: [gotoDefinition, findReferences, hover, documentSymbols, workspaceSymbols, diagnostics],
  prompts: [],
  resources: false,
};
