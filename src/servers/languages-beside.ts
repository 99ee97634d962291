/** Languages of texts and data that accompany code: a server of theirs is missed only where there is no code. */
export const languagesBeside: ReadonlySet<string> = new Set([
  ...['markdown', 'json', 'jsonc', 'yaml', 'toml', 'css', 'scss', 'sass', 'less', 'html', 'dockerfile'],
  ...['latex', 'bibtex', 'go.mod', 'go.sum', 'go.work', 'terraform-vars', 'graphql'],
]);
