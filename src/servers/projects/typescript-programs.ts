import { list, object, text } from '../../core/runtime/json.ts';
import type { ProgramFiles } from '../outside-facts.ts';

/** How TypeScript 7 tells the files of its programs: on a socket for its API, which the same process answers. */
export const typescriptPrograms: ProgramFiles = {
  socketBy: 'custom/initializeAPISession',
  socketOf: (answer) => text(object(answer).pipe),
  open: async (ask) => {
    await ask('initialize', null);
    const known = new Set<string>();
    let before: unknown;
    return async () => {
      const state = object(await ask('updateSnapshot', {}));
      const { snapshot } = state;
      if (before !== undefined) await ask('release', { snapshot: before });
      before = snapshot;
      const changed = object(object(state.changes).changedProjects);
      const ids = list(state.projects).flatMap((project) => text(object(project).id) ?? []);
      const news = ids.filter((id) => id in changed || !known.has(id));
      for (const id of news) known.add(id);
      const names = await Promise.all(
        news.map(async (project) => list(await ask('getSourceFileNames', { snapshot, project }))),
      );
      return names.flat().flatMap((name) => text(name) ?? []);
    };
  },
};
