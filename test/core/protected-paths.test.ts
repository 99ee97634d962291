import { expect, it } from 'vitest';
import { isProtected } from '../../src/core/protected-paths.ts';

it.each([
  ...[
    '.git/config',
    '.git/hooks/pre-commit',
    'sub/.git/config',
    '.github/workflows/ci.yml',
    '.vscode/settings.json',
  ],
  ...[
    '.cursor/mcp.json',
    '.claude/settings.json',
    '.mcp.json',
    '.idea/workspace.xml',
    'app.code-workspace',
    '.bashrc',
  ],
  ...[
    'lspan.toml',
    '.lspan/config.toml',
    'lspan.json',
    '.envrc',
    '.zshrc',
    '.profile',
    '.gitlab-ci.yml',
    '.npmrc',
  ],
])('BND-17 %s decides what runs, and is protected', (path) => {
  expect(isProtected(path)).toBe(true);
});

it.each([
  ...['.GIT/hooks/x', '.VsCode/settings.json', '.MCP.json', '.Github/Workflows/ci.yml', 'LSPAN.toml'],
  ...['.git./config', '.git /config', '.vscode\\settings.json', '.mcp.json::$DATA', '.bashrc.'],
])('BND-15 %s is the same file on some disks, and is protected', (path) => {
  expect(isProtected(path)).toBe(true);
});

it.each([
  ...[
    'src/git.ts',
    'git/config',
    '.github/README.md',
    'docs/vscode/settings.json',
    'profile',
    'mcp.json',
    '.gitignore',
  ],
  ...['src/lspan.ts', 'a.git', '.gitkeep', 'workflows/ci.yml', '.env.example'],
])('%s decides nothing of the kind', (path) => {
  expect(isProtected(path)).toBe(false);
});
