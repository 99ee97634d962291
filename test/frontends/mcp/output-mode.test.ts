import { describe, expect, test } from 'vitest';
import { carry, type OutputMode } from '../../../src/frontends/mcp/output-mode.ts';

const answer = { text: 'One line.\nAnother line.', data: { complete: true }, isError: false };
const error = { text: 'not_found: No.\nNext: Try.', data: { error: { code: 'not_found' } }, isError: true };

const cases: readonly (readonly [OutputMode, string | undefined, string, boolean])[] = [
  ['auto', undefined, answer.text, true],
  ['auto', 'somebody', answer.text, true],
  ['auto', 'claude-code', answer.text, false],
  ['auto', 'codex-mcp-client', answer.text, false],
  ['auto', 'gemini-cli-mcp-client', answer.text, true],
  ['auto', 'opencode', answer.text, true],
  ['text', 'somebody', answer.text, false],
  ['structured', 'claude-code', 'One line.', true],
  ['both', 'claude-code', answer.text, true],
  ['both', 'gemini-cli-mcp-client', answer.text, true],
];

describe.each(cases)('--output %s for %s', (mode, client, text, structured) => {
  test(`shows ${JSON.stringify(text)}, ${structured ? 'with' : 'without'} structured content`, () => {
    const content = [{ type: 'text', text }];
    expect(carry(answer, answer.text, { mode, client })).toEqual({
      content,
      ...(structured && { structuredContent: answer.data }),
    });
  });

  test('says all of an error in its text', () => {
    const carried = carry(error, error.text, { mode, client });
    expect(carried).toMatchObject({ content: [{ type: 'text', text: error.text }], isError: true });
    const isTwice = mode === 'auto' && client === 'gemini-cli-mcp-client';
    expect(carried.structuredContent).toEqual(structured && !isTwice ? error.data : undefined);
  });
});
