import { expect } from 'vitest';
import { type FailureCode, failureNumbers } from '../../../src/surfaces/gateway/failure.ts';
import { gateway } from '../../../src/surfaces/gateway/gateway.ts';
import type { Outcome } from '../../../src/tools/run/tool.ts';
import { openTestBridge, type TestBridge, type TestSetting } from '../../test-bridge.ts';

/** A bridge with the tools of the gateway, which are asked by the ends of their names. */
export interface OpenGateway extends TestBridge {
  /** Calls a tool and expects an answer that its schema allows. */
  ask(tool: string, args: object): Promise<Outcome['data']>;
  /** Calls a tool and expects that it fails with this code. */
  refuse(tool: string, args: object, code: FailureCode): Promise<Outcome>;
  uri(file: string): string;
}

/** Opens one over a project. */
export async function openGateway(setting: TestSetting = {}): Promise<OpenGateway> {
  const bridge = await openTestBridge({ ...setting, surface: 'gateway' });
  return {
    ...bridge,
    uri: (file) => `file://${bridge.root}/${file}`,
    async ask(tool, args) {
      const { data, text, isError } = await bridge.call(`vscode.lsp.${tool}`, args);
      expect(isError, text).toBe(false);
      expect(text).not.toContain('\n');
      toolNamed(tool).output.parse(data);
      return data;
    },
    async refuse(tool, args, code) {
      const outcome = await bridge.call(`vscode.lsp.${tool}`, args);
      expect(outcome.data, outcome.text).toEqual({
        error: {
          code,
          message: expect.any(String),
          retryable: expect.any(Boolean),
          nextStep: expect.stringMatching(/\w+ .*\./),
        },
      });
      expect(outcome.isError).toBe(true);
      expect(failureNumbers).toHaveProperty(code);
      return outcome;
    },
  };
}

function toolNamed(end: string) {
  const tool = gateway.tools.find(({ name }) => name === `vscode.lsp.${end}`);
  if (!tool) throw new Error(`There is no tool ${end}.`);
  return tool;
}

/** From a character of a line to another. */
export function rangeOn(line: number, from: number, to: number) {
  return { start: { line, character: from }, end: { line, character: to } };
}
