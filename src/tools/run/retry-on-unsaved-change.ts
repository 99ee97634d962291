import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/**
 * Answers, and repeats that if an unsaved text changed meanwhile: a user may type at any moment, and what was found
 * in one text may be elsewhere in the next. If the text keeps changing, the answer gets a doubt.
 */
export async function retryOnUnsavedChange<T extends { readonly doubts: readonly Doubt[] }>(
  workspace: Pick<Workspace, 'onChanges'>,
  answer: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let isUnchanged = true;
    const end = workspace.onChanges((changes) => {
      isUnchanged &&= !changes.some(({ unsaved }) => unsaved);
    });
    const answered = answer().then(
      (value) => ({ value }),
      (thrown: unknown) => ({ thrown }),
    );
    const outcome = await answered.finally(end);
    if (!isUnchanged && attempt < limits.held.attempts) continue;
    if ('thrown' in outcome) throw outcome.thrown;
    const { value } = outcome;
    return isUnchanged ? value : { ...value, doubts: [...value.doubts, changedMeanwhile] };
  }
}

const changedMeanwhile: Doubt = {
  kind: 'unsaved_elsewhere',
  detail: 'Unsaved text changed during this call: the answer may mix old and new text. Call again.',
};
