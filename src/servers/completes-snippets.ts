/** Said to servers that complete only for clients that understand snippets. */
export const completesSnippets = {
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};
