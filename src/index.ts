export type { AnswerSource, Backend, OverlaySource, ServerControl } from './core/backend.ts';
export type { Doubt, DoubtKind } from './core/doubts.ts';
export { type ErrorCode, type ErrorDetails, LspanError } from './core/errors.ts';
export type { Log, LogLevel } from './core/log.ts';
export type { McpMessage, McpTransport } from './frontends/mcp/mcp-transport.ts';
export type { CreateSettings as BridgeSettings } from './library/create-bridge.ts';
export { createBridge } from './library/create-bridge.ts';
export type {
  AskOptions,
  CheckOptions,
  EmbeddedBridge as Bridge,
  FileDiagnostics,
  ServeOptions,
  ToolAnswer,
  ToolArgs,
  ToolData,
  ToolDescription,
  ToolName,
} from './library/embedded-bridge.ts';
export type { ConfigFile } from './library/from-schemas/config-file.ts';
export type { ToolCalls } from './library/from-schemas/tool-calls.ts';
export type { HostProblem as Diagnostic } from './tools/host/diagnostic-line.ts';
export { type FormatOptions, formatDiagnostics } from './tools/host/format-diagnostics.ts';
export type { HostServer as ServerState, KnownProblems as KnownDiagnostics } from './tools/host/host-api.ts';
export { version } from './version.ts';
