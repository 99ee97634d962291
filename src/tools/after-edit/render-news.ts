import { limits } from '../../core/limits.ts';
import { severities } from '../../core/problems.ts';
import { visible, visibleData } from '../../core/wording/visible.ts';
import { renderByFile } from '../diagnostics/render-diagnostics.ts';
import { estimateTokens } from '../run/budget.ts';
import { countBySeverity, type Diagnostic, renderCounts } from '../show/diagnostic.ts';
import { plural } from '../show/render-location.ts';

/** What a model is told after an edit. */
interface News {
  readonly introduced: readonly Diagnostic[];
  /** The number of files of a check that goes on. */
  readonly goesOn: number | undefined;
}

/** Renders what got worse, errors first, in at most 600 tokens; `undefined` if there is nothing to tell. */
export function renderNews({ introduced, goesOn }: News): string | undefined {
  const worst = severities.flatMap((one) => introduced.filter(({ severity }) => severity === one));
  const still = goesOn === undefined ? [] : [renderGoesOn(goesOn)];
  if (worst.length === 0) return still[0];
  let kept = worst.length;
  let text = renderWorst(worst, kept, still);
  while (kept > 1 && estimateTokens(text) > limits.afterEdit.tokens) {
    kept -= 1;
    text = renderWorst(worst, kept, still);
  }
  return text;
}

function renderWorst(worst: readonly Diagnostic[], kept: number, still: readonly string[]): string {
  const left = worst.length - kept;
  const shown = visibleData(worst.slice(0, kept), new Set(['message']));
  const lines = [
    `lspan: ${renderCounts(countBySeverity(worst))} that ${worst.length === 1 ? 'was' : 'were'} not there before the latest changes`,
    ...renderByFile(shown),
    ...(left === 0 ? [] : [`${left} more: get_diagnostics lists them.`]),
    ...still,
  ];
  return visible(lines.join('\n'));
}

function renderGoesOn(files: number): string {
  return `lspan: the check of ${plural('file', files)} goes on; what it finds is told after the next edit.`;
}

/** Renders a message in the form that the hooks of Claude Code, Codex and Gemini CLI add to what the model sees. */
export function toHookOutput(event: string, message: string | undefined): string {
  if (message === undefined) return '';
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: message } });
}
