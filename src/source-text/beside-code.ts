/**
 * Returns whether a file holds text, data or styles that accompany code: their headings and keys are no symbols of
 * the code, and a server of theirs is missed only where there is no code.
 */
export function accompaniesCode(path: string): boolean {
  return besideCode.test(path);
}

const besideCode = new RegExp(
  [
    String.raw`\.(?:md|markdown|mdx|jsonc?|webmanifest|code-workspace|ya?ml|toml|lock|css|less|scss|sass|x?html?)`,
    String.raw`\.(?:tex|sty|cls|bib|tfvars|graphql|gql|eslintrc|babelrc|swcrc|clang-format|clangd)`,
    String.raw`/go\.(?:mod|sum|work)|/(?:Docker|Container)file[^/]*|\.dockerfile`,
  ]
    .map((ending) => `(?:${ending})$`)
    .join('|'),
  'i',
);
