/** One MCP message: a JSON-RPC 2.0 object. */
export interface McpMessage {
  readonly jsonrpc: '2.0';
}

/**
 * Carries messages between an MCP client and lspan. Every transport of the MCP SDK, version 1 or 2, has this shape. lspan
 * sets the three listeners and then starts it.
 */
export interface McpTransport {
  start(): Promise<void>;
  send(message: McpMessage): Promise<void>;
  close(): Promise<void>;
  /** Set by lspan; the transport calls it with each message of the client. */
  onmessage?: ((message: never) => void) | undefined;
  /** The transport calls it when the connection has ended. lspan also calls a listener that was set before. */
  onclose?: (() => void) | undefined;
  /** The transport calls it with errors that do not end the connection. lspan also calls a listener that was set before. */
  onerror?: ((error: Error) => void) | undefined;
}
