import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Answers, and once more where a text that is held changed meanwhile: one who types does so at any moment, and what was
 * found in one text may stand elsewhere in the next. Where that goes on, the answer is in doubt.
 */
export async function retryOnUnsavedChange<T extends { readonly doubts: readonly Doubt[] }>(
  workspace: Pick<Workspace, 'onChanges'>,
  answer: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let isSteady = true;
    const end = workspace.onChanges((changes) => {
      isSteady &&= !changes.some(({ unsaved }) => unsaved);
    });
    const answered = answer().then(
      (value) => ({ value }),
      (thrown: unknown) => ({ thrown }),
    );
    const outcome = await answered.finally(end);
    if (!isSteady && attempt < limits.held.attempts) continue;
    if ('thrown' in outcome) throw outcome.thrown;
    const { value } = outcome;
    return isSteady ? value : { ...value, doubts: [...value.doubts, unsteady] };
  }
}

const unsteady: Doubt = {
  kind: 'unsaved_elsewhere',
  detail:
    'Text that is not saved changed while this was answered: it may be partly of the text before. Call again.',
};
