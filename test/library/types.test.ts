import type { Transport } from '@modelcontextprotocol/server';
import { expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { userSchema } from '../../src/config/schema/schema.ts';
import type { McpTransport, ToolData } from '../../src/index.ts';
import type { ConfigFile } from '../../src/library/from-schemas/config-file.ts';
import type { CodeLocation, CodeProblem } from '../../src/library/from-schemas/shapes.ts';
import type { change } from '../../src/tools/change/change-data.ts';
import type { diagnostic } from '../../src/tools/show/diagnostic.ts';
import type { location } from '../../src/tools/show/location.ts';

/** The transport type of the SDK's first version, as documented. */
interface FirstTransport {
  start(): Promise<void>;
  send(message: FirstMessage, options?: { relatedRequestId?: string | number }): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends FirstMessage>(message: T, extra?: { requestInfo?: object }) => void;
  sessionId?: string;
  setProtocolVersion?: (version: string) => void;
}
type FirstMessage =
  | { jsonrpc: '2.0'; id: string | number; method: string; params?: { [key: string]: unknown } }
  | { jsonrpc: '2.0'; id: string | number; result: { [key: string]: unknown } };

it('the transports of both versions of the SDK are assignable to McpTransport', () => {
  expectTypeOf<Transport>().toExtend<McpTransport>();
  expectTypeOf<FirstTransport>().toExtend<McpTransport>();
  expectTypeOf<{ write(text: string): void }>().not.toExtend<McpTransport>();
});

/** A type as JSON has it: readonly, and without `undefined` fields. */
type Told<T> = T extends readonly (infer Item)[]
  ? readonly Told<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Told<Exclude<T[K], undefined>> }
    : T;

it('the generated types equal the types that the schemas infer', () => {
  expectTypeOf<Told<z.output<typeof location>>>().toEqualTypeOf<Told<CodeLocation>>();
  expectTypeOf<Told<z.output<typeof diagnostic>>>().toEqualTypeOf<Told<CodeProblem>>();
  expectTypeOf<Told<z.output<typeof change>>>().toExtend<
    Pick<ToolData<'create_file'>, 'plan' | 'edit' | 'step'>
  >();
  expectTypeOf<z.input<typeof userSchema>>().toExtend<ConfigFile>();
});
