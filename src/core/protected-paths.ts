/**
 * Returns whether no edit may touch a path below a root unasked: the path decides what git, CI, an editor, an
 * agent, a shell or lspan itself runs. Case and Unicode forms are normalized, so spelling does not bypass it.
 */
export function isProtected(relative: string): boolean {
  const parts = relative
    .normalize('NFC')
    .toLowerCase()
    .split(/[\\/]+/)
    .map(bare);
  const name = parts.at(-1) ?? '';
  return parts.some((part) => folders.has(part)) || endsWithPlace(parts) || names.test(name);
}

const folders: ReadonlySet<string> = new Set([
  ...[
    '.git',
    '.hg',
    '.svn',
    '.vscode',
    '.idea',
    '.cursor',
    '.claude',
    '.codex',
    '.gemini',
    '.zed',
    '.devcontainer',
  ],
  ...['.husky', '.lspan', '.circleci', '.buildkite', '.windsurf'],
]);

/** Folders that are protected only in a certain parent. */
const places = [
  ['.github', 'workflows'],
  ['.github', 'actions'],
  ['.config', 'lspan'],
] as const;

const names =
  /^(\.mcp\.json|lspan\.(toml|json)|.*\.code-workspace|\.gitlab-ci\.ya?ml|\.travis\.yml|jenkinsfile|azure-pipelines\.yml|\.gitattributes|\.gitmodules|\.envrc|\.(bash|zsh|csh|ksh)rc|\.(bash_|z)?profile|\.bash_(login|logout)|\.z(shenv|login|logout)|\.npmrc|\.yarnrc(\.yml)?)$/;

function endsWithPlace(parts: readonly string[]): boolean {
  return places.some(([outer, inner]) => parts.some((part, at) => part === outer && parts[at + 1] === inner));
}

/** Normalizes a name: Windows ignores trailing dots and spaces, and reads a stream name after a colon. */
function bare(part: string): string {
  return part.replace(/:.*$/, '').replace(/[. ]+$/, '') || part;
}
