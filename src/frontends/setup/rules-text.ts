/** What an agent is told about lspan, in the file of its instructions. */
export const rulesText = `## Code questions: use lspan

The MCP server lspan answers from the language servers, that is, from the compiler.

- Before a text search for a symbol: \`find_definition\`, \`find_references\`, \`search_workspace_symbols\`.
- To understand a symbol: \`inspect_symbol\`, \`get_call_hierarchy\`, \`find_implementations\`.
- After an edit: \`get_diagnostics\`; with \`since\` it tells what the edit introduced and fixed.
- To rename or move: \`rename_symbol\`, \`rename_file\`. They preview first; \`apply_workspace_edit\` applies, \`undo_edit\` undoes.
- Text search stays right for comments, strings and files of no language.`;
