// What a program that has lspan installed may write, and below each `@ts-expect-error` what the compiler refuses it.

import {
  type Bridge,
  type BridgeSettings,
  createBridge,
  type Diagnostic,
  type Doubt,
  type ErrorCode,
  formatDiagnostics,
  LspanError,
  type McpTransport,
  type ToolArgs,
  type ToolData,
  version,
} from 'lspan';

declare const bridge: Bridge;
declare const chosen: string;
declare const transport: McpTransport;

export async function asked(): Promise<readonly (string | number | undefined)[]> {
  const { text, data, doubts } = await bridge.call('find_references', {
    symbol_name: 'run',
    max_tokens: 500,
  });
  const kinds: readonly Doubt['kind'][] = doubts.map(({ kind }) => kind);
  const plan = await bridge.call('rename_symbol', { symbol_name: 'a', new_name: 'b' });
  const any = await bridge.call(chosen, { whatever: 1 });
  const value: unknown = any.data.anything;
  // @ts-expect-error no such field
  await bridge.call('find_references', { symbol: 'run' });
  // @ts-expect-error another kind
  await bridge.call('find_references', { symbol_name: 3 });
  // @ts-expect-error a field that is needed
  await bridge.call('search_workspace_symbols', {});
  // @ts-expect-error no such tool
  await bridge.call('find_everything', {});
  // @ts-expect-error nothing that this tool answers
  data.definitions;
  return [text, data.references[0]?.line, plan.data.plan?.plan_id, String(value), ...kinds, version];
}

export async function used(settings: BridgeSettings): Promise<string> {
  await using own = await createBridge({
    workspace: ['.'],
    config: { servers: [{ id: 'gopls', command: ['gopls'] }], limits: { memory_mb: 2048 } },
    log: (level, event, fields) => console.error(level, event, fields),
    readOnly: true,
    environment: process.env,
  });
  // @ts-expect-error no such key of the configuration
  await createBridge({ workspace: '.', config: { colour: 'red' } });
  const leave = own.onDiagnostics((file?: string) => console.error(file));
  own.hold('a.ts', 'text');
  own.hold('a.ts', null);
  leave();
  const { signal } = new AbortController();
  const checked = await own.diagnostics('a.ts', { text: 'text', signal, onProgress: (said: string) => said });
  const known: Readonly<Record<string, readonly Diagnostic[]>> = (await own.diagnostics()).files;
  const states: readonly ('ok' | 'starting' | 'broken' | 'idle')[] = (await own.status()).map(
    (one) => one.state,
  );
  const other = await createBridge(settings);
  await other.close();
  return formatDiagnostics(checked.file, { ...known, [checked.file]: checked.diagnostics }) + states.join();
}

export async function served(): Promise<void> {
  // @ts-expect-error this is no transport
  await bridge.serve({ write: () => {} });
  await bridge.serve(transport, { surface: 'llxprt', output: 'text', toolsets: ['all'] });
}

export function failed(thrown: unknown): ErrorCode | undefined {
  return thrown instanceof LspanError && thrown.nextStep ? thrown.code : undefined;
}

export const args: ToolArgs<'get_hover'> = { file_path: undefined, line: 1, character: 2 };
export const told: ToolData<'get_server_status'>['servers'][number]['id'] = 'typescript';
