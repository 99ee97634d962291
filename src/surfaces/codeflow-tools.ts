import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { isRecord } from '../core/runtime/json.ts';
import { filePath } from '../tools/target/target-fields.ts';
import type { AdaptedTool, Rendered } from './adapt-tool.ts';

const file = { file_path: filePath.describe('Path to the file') };
const line = z.int().optional().describe('Line number (1-indexed, optional)');
const character = z.int().min(0).optional().describe('Character position (0-indexed, optional)');
const symbol = {
  file_path: filePath.describe('Path to the file containing the symbol'),
  symbol_name: z.string().min(1).max(limits.input.query).describe('Name of the symbol'),
  line,
  character,
};
const place = { ...symbol, symbol_name: symbol.symbol_name.optional() };
const at = { ...file, line: z.int().describe('1-indexed'), character: z.int().min(0).describe('0-indexed') };
const writes = { dry_run: z.boolean().default(false).describe('Only preview; the plan_id applies it') };
const many = ['max_tokens', 'cursor'];
const careful = ['check', 'allow_protected', 'allow_incomplete', 'max_tokens'];

/** Adds whether the edit was applied, as a client of the protocol answers its server. */
function applied(data: Readonly<Record<string, unknown>>) {
  return { applied: data.edit !== undefined, ...data };
}

/** Adds the same to a failure, with its reason. */
function notApplied({ data }: Rendered): Rendered {
  const { message } = isRecord(data.error) ? data.error : {};
  const failed = { applied: false, failureReason: String(message), ...data };
  return { text: JSON.stringify(failed, null, 2), data: failed };
}

/** A tool of codeflow. */
interface CodeflowTool extends AdaptedTool {
  /** True if it answers for every symbol of an ambiguous name. */
  readonly eachCandidate?: true;
}

/** The tools of codeflow in its five categories, each over one of ours. */
export const codeflowRows: readonly CodeflowTool[] = [
  {
    of: 'find_definition',
    title: 'Go to definition',
    toolset: 'navigation',
    description: 'Find the definition of a symbol',
    eachCandidate: true,
    fields: symbol,
    passes: ['symbol_kind', ...many],
  },
  {
    of: 'find_references',
    title: 'Find all references',
    toolset: 'navigation',
    description: 'Find all references to a symbol',
    eachCandidate: true,
    fields: symbol,
    passes: ['symbol_kind', 'include_declaration', ...many],
  },
  {
    of: 'find_implementations',
    title: 'Find implementations',
    toolset: 'navigation',
    description: 'Find the implementations of an interface, class or method',
    eachCandidate: true,
    fields: symbol,
    passes: ['symbol_kind', ...many],
  },
  {
    of: 'get_call_hierarchy',
    name: 'prepare_call_hierarchy',
    title: 'Call hierarchy',
    toolset: 'navigation',
    description: 'The call hierarchy item of a symbol, with its callers and callees',
    eachCandidate: true,
    fields: { ...symbol, direction: z.enum(['incoming', 'outgoing', 'both']).default('both') },
    passes: ['symbol_kind', 'depth', ...many],
  },
  {
    of: 'get_document_symbols',
    title: 'Document outline',
    toolset: 'symbols',
    description: 'The outline of a file',
    fields: file,
    passes: many,
  },
  {
    of: 'search_workspace_symbols',
    title: 'Workspace search',
    toolset: 'symbols',
    description: 'Search symbols in the whole workspace',
    fields: { query: z.string().min(1).max(limits.input.query) },
    passes: ['symbol_kind', ...many],
  },
  {
    of: 'rename_symbol',
    title: 'Rename',
    toolset: 'symbols',
    description: 'Rename a symbol with all its uses, all or nothing',
    fields: { ...symbol, new_name: z.string(), ...writes },
    passes: ['symbol_kind', ...careful],
  },
  {
    of: 'rename_symbol_strict',
    title: 'Rename at a position',
    toolset: 'symbols',
    description: 'Rename the symbol at an exact position, all or nothing',
    fields: { ...at, new_name: z.string(), ...writes },
    passes: careful,
  },
  {
    of: 'get_hover',
    title: 'Hover information',
    toolset: 'intelligence',
    description: 'Type, signature and documentation of a symbol',
    fields: place,
    passes: ['max_tokens'],
  },
  {
    of: 'get_completions',
    title: 'Code completion',
    toolset: 'intelligence',
    description: 'Completions at a position',
    fields: at,
    passes: many,
  },
  {
    of: 'get_signature_help',
    title: 'Parameter hints',
    toolset: 'intelligence',
    description: 'The signatures of the function called at a position',
    fields: at,
    passes: ['max_tokens'],
  },
  {
    of: 'get_inlay_hints',
    title: 'Inline annotations',
    toolset: 'intelligence',
    description: 'Inferred types and parameter names of a file or of some lines',
    fields: file,
    passes: ['line', 'end_line', ...many],
  },
  {
    of: 'get_diagnostics',
    title: 'Errors and warnings',
    toolset: 'quality',
    description: 'Errors and warnings in the current text of a file',
    fields: file,
    passes: ['min_severity', ...many],
  },
  {
    of: 'get_code_actions',
    title: 'Quick fixes',
    toolset: 'quality',
    description:
      'Quick fixes and refactorings for a range or for the problems of a file. With action_id: a preview, with a plan_id for apply_workspace_edit',
    fields: {
      file_path: filePath.optional(),
      line,
      character,
      end_line: z.int().optional(),
      end_character: z.int().min(0).optional(),
    },
    passes: ['kinds', 'action_id', 'max_tokens'],
    effects: 'none',
  },
  {
    of: 'format_document',
    title: 'Code formatting',
    toolset: 'quality',
    description: 'Format a file with its language server',
    fields: { ...file, ...writes },
    passes: ['options', ...careful],
  },
  {
    of: 'create_file',
    title: 'File creation',
    toolset: 'files',
    description: 'Create a file with its folders; an existing one is refused unless overwrite',
    fields: { ...file, content: z.string().max(limits.input.content).default(''), ...writes },
    passes: ['overwrite', ...careful],
  },
  {
    of: 'delete_file',
    title: 'File deletion',
    toolset: 'files',
    description: 'Delete a file; refused while other files refer to it, unless force',
    fields: { ...file, ...writes },
    passes: ['recursive', 'force', ...careful],
  },
  {
    of: 'rename_file',
    title: 'File renaming',
    toolset: 'files',
    description: 'Rename or move a file or folder, and update imports',
    fields: { old_path: filePath, new_path: filePath, ...writes },
    passes: careful,
  },
  {
    of: 'apply_workspace_edit',
    title: 'Multi-file edits',
    toolset: 'files',
    description: 'Apply an LSP WorkspaceEdit, or a preview by its plan_id, all or nothing',
    fields: writes,
    passes: ['edit', 'plan_id', ...careful],
    shape: applied,
    shapeFailure: notApplied,
  },
];
