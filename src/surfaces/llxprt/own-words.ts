/** Advice of our tools in words of this surface, which has other ones and names no symbols. */
export function inOwnWords(text: string): string {
  return phrases.reduce((told, [ours, theirs]) => told.replaceAll(ours, theirs), text);
}

const phrases: readonly (readonly [ours: string, theirs: string])[] = [
  [': name files to check them', ': ask lsp_document_symbols about files to have them checked'],
  [': name others to check them', ': ask lsp_document_symbols about others to have them checked'],
  ['ask again, or name the files to check', 'ask again'],
  [', or give `symbol_name` instead', ''],
  [' Give `symbol_name` instead if in doubt.', ''],
  ['get_server_status', '`lspan call get_server_status` in a shell'],
];
