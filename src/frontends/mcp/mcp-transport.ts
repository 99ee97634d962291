/** One message of MCP: an object of JSON-RPC 2.0. */
export interface McpMessage {
  readonly jsonrpc: '2.0';
}

/**
 * What carries messages between an MCP client and lspan: every transport of the MCP SDK, in its first and its second
 * version, has this shape. Whoever serves on it sets the three listeners and then starts it.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: McpMessage): Promise<void>;
  close(): Promise<void>;
  /** Set by lspan: to be called with each message of the client. */
  onmessage?: ((message: never) => void) | undefined;
  /** To be called when the connection has ended; what is set before lspan serves is called too. */
  onclose?: (() => void) | undefined;
  /** To be called with what goes wrong without ending the connection; the same holds for it. */
  onerror?: ((error: Error) => void) | undefined;
}
