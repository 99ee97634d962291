/** Where a client finds the server. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** How the configuration of a client is written, with the token in it. */
export interface ClientFormat {
  /** The command that copies it, without the prefix of the extension. */
  readonly command: string;
  readonly client: string;
  /** Where the text belongs, for the message after copying it. */
  readonly file: string;
  render(endpoint: Endpoint): string;
}

const name = 'mcp-lsp-gateway';

/** The clients whose configuration can be copied. */
export const clientFormats: readonly ClientFormat[] = [
  {
    command: 'copyCodexConfig',
    client: 'Codex',
    file: '~/.codex/config.toml',
    render: ({ url, token }) =>
      [
        '[mcp_servers.mcp_lsp_gateway]',
        `url = ${JSON.stringify(url)}`,
        `http_headers = { "Authorization" = ${JSON.stringify(`Bearer ${token}`)} }`,
        '',
      ].join('\n'),
  },
  {
    command: 'copyClaudeConfig',
    client: 'Claude Code',
    file: '~/.claude.json',
    render: (endpoint) => json({ mcpServers: { [name]: { type: 'http', ...remote(endpoint) } } }),
  },
  {
    command: 'copyCursorConfig',
    client: 'Cursor',
    file: '~/.cursor/mcp.json',
    render: (endpoint) => json({ mcpServers: { [name]: remote(endpoint) } }),
  },
  {
    command: 'copyGeminiConfig',
    client: 'Gemini CLI',
    file: '~/.gemini/settings.json',
    render: ({ url, token }) => json({ mcpServers: { [name]: { httpUrl: url, headers: bearer(token) } } }),
  },
  {
    command: 'copyOpencodeConfig',
    client: 'opencode',
    file: '~/.config/opencode/opencode.json',
    render: (endpoint) => json({ mcp: { [name]: { type: 'remote', ...remote(endpoint), oauth: false } } }),
  },
  {
    command: 'copyVscodeConfig',
    client: 'VS Code',
    file: 'mcp.json of the user (MCP: Open User Configuration)',
    render: (endpoint) => json({ servers: { [name]: { type: 'http', ...remote(endpoint) } } }),
  },
];

function remote({ url, token }: Endpoint): object {
  return { url, headers: bearer(token) };
}

function bearer(token: string): object {
  return { Authorization: `Bearer ${token}` };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
