// The gateway as tests within VS Code use it: its state, its settings, and calls over HTTP.
import * as vscode from 'vscode';
import type { GatewayApi } from '../../../editors/vscode/src/extension.ts';
import { list, object, text } from '../../../src/core/runtime/json.ts';

/** The API of the extension. */
export function gatewayApi(): GatewayApi {
  const extension = vscode.extensions.getExtension<GatewayApi>('lspan.mcp-lsp-gateway');
  if (!extension?.isActive) throw new Error('The extension is not active.');
  return extension.exports;
}

/** Resolves when the state of the server is as wanted. */
export async function until(isWanted: (state: ReturnType<GatewayApi['state']>) => boolean): Promise<void> {
  const api = gatewayApi();
  if (isWanted(api.state())) return;
  await new Promise<void>((resolve) => {
    const subscription = api.onDidChange(() => {
      if (!isWanted(api.state())) return;
      subscription.dispose();
      resolve();
    });
  });
}

/** Changes settings of the machine, and waits for the server that follows them. */
export async function withSettings(
  values: Readonly<Record<string, unknown>>,
  wanted = 'running',
): Promise<void> {
  const settings = vscode.workspace.getConfiguration('mcpLspGateway');
  const before = gatewayApi().state();
  const seen: string[] = [];
  const subscription = gatewayApi().onDidChange(() => seen.push(gatewayApi().state().kind));
  for (const [key, value] of Object.entries(values))
    await settings.update(key, value, vscode.ConfigurationTarget.Global);
  const isNew = () => seen.includes('starting') || before.kind !== 'running' || wanted !== 'running';
  await until(({ kind }) => kind === wanted && isNew());
  subscription.dispose();
}

/** Runs a command of the extension that copies something, and gives what it copied. */
export async function copied(command: string): Promise<string> {
  await vscode.commands.executeCommand(`mcpLspGateway.${command}`);
  return vscode.env.clipboard.readText();
}

/** The address and the token, as the user gets them: from the configuration of Codex. */
export async function endpoint(): Promise<{ readonly url: string; readonly token: string }> {
  const stanza = await copied('copyCodexConfig');
  const [, url] = /url = "([^"]+)"/.exec(stanza) ?? [];
  const [, token] = /Bearer ([^"]+)"/.exec(stanza) ?? [];
  if (url === undefined || token === undefined) throw new Error(`This is no configuration: ${stanza}`);
  return { url, token };
}

/** The outcome of a call. */
export interface Answer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly error:
    | { readonly code?: unknown; readonly message?: unknown; readonly retryable?: unknown }
    | undefined;
}

/** A client of MCP over HTTP, with a session. */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #id = 0;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
  }

  /** Connects to the running server. */
  static async connect(): Promise<Client> {
    const { url, token } = await endpoint();
    const client = new Client(url, token);
    const clientInfo = { name: 'test', version: '1' };
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { response } = await client.#send({ id: 0, method: 'initialize', params: opening });
    const session = response.headers.get('mcp-session-id');
    if (session !== null) client.#headers['Mcp-Session-Id'] = session;
    client.#headers['MCP-Protocol-Version'] = '2025-11-25';
    await client.#send({ method: 'notifications/initialized' });
    return client;
  }

  /** True if the server gave it a session. */
  get hasSession(): boolean {
    return this.#headers['Mcp-Session-Id'] !== undefined;
  }

  /** Returns the names of the tools. */
  async tools(): Promise<readonly string[]> {
    const { body } = await this.#request('tools/list', {});
    return list(object(body.result).tools).map((tool) => String(object(tool).name));
  }

  /** Calls a tool. */
  async call(name: string, args: object): Promise<Answer> {
    const { body } = await this.#request('tools/call', { name, arguments: args });
    const { data, message } = object(body.error);
    const result = object(body.result);
    const content = text(object(list(result.content)[0]).text) ?? '';
    const failed = object(object(result.structuredContent).error);
    const error =
      body.error === undefined
        ? result.isError === true
          ? { message: content, ...failed }
          : undefined
        : { message, ...object(data) };
    return { data: object(result.structuredContent), text: content, error };
  }

  /** Calls a tool until it does not ask to be called again. */
  async settled(name: string, args: object): Promise<Answer> {
    for (;;) {
      const answer = await this.call(name, args);
      if (answer.error?.retryable !== true) return answer;
    }
  }

  #request(method: string, params: object) {
    this.#id += 1;
    return this.#send({ id: this.#id, method, params });
  }

  async #send(message: object) {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
    const said = await response.text();
    const data = said.startsWith('{') ? said : (/^data: (\{.*\})$/m.exec(said)?.[1] ?? '{}');
    return { response, body: object(JSON.parse(data)) };
  }
}
