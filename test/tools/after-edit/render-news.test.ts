import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { renderNews, toHookOutput } from '../../../src/tools/after-edit/render-news.ts';
import { estimateTokens } from '../../../src/tools/run/budget.ts';

const problem = (severity: 'error' | 'warning', message: string, line = 1) => ({
  ...{ file_path: 'src/a.ts', line, character: 1, end_line: line, end_character: 2 },
  ...{ severity, message },
});

it('nothing is said if nothing got worse', () => {
  expect(renderNews({ introduced: [], goesOn: undefined })).toBeUndefined();
  expect(toHookOutput('PostToolUse', undefined)).toBe('');
});

it('errors come before warnings', () => {
  const introduced = [problem('warning', 'unused'), problem('error', 'wrong type')];
  const text = renderNews({ introduced, goesOn: undefined }) ?? '';
  expect(text).toMatch(/^lspan: 1 error, 1 warning that were not there before the latest changes\n/);
  expect(text.indexOf('wrong type')).toBeLessThan(text.indexOf('unused'));
});

it('a message takes at most 600 tokens, and says how many problems it leaves out', () => {
  const introduced = Array.from({ length: 200 }, (_, line) =>
    problem('error', `wrong type ${line}`, line + 1),
  );
  const text = renderNews({ introduced, goesOn: 3 }) ?? '';
  expect(estimateTokens(text)).toBeLessThanOrEqual(limits.afterEdit.tokens);
  expect(text).toMatch(/^lspan: 200 errors /);
  expect(text).toMatch(/\n\d+ more: get_diagnostics lists them\.\n/);
  expect(text).toMatch(/the check of 3 files goes on/);
});

it('a check that goes on is said even if nothing was found so far', () => {
  expect(renderNews({ introduced: [], goesOn: 1 })).toBe(
    'lspan: the check of 1 file goes on; what it finds is told after the next edit.',
  );
});

it('characters that hide text are shown', () => {
  const text = renderNews({ introduced: [problem('error', 'a\u202eb')], goesOn: undefined });
  expect(text).toContain('a\\u{202e}b');
});

it('a message is additional context of the event of the hook', () => {
  expect(JSON.parse(toHookOutput('AfterTool', 'worse'))).toEqual({
    hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'worse' },
  });
});
