// Many questions at once: an agent's parallel calls, beside a raw client that asks the same at once.
import { argumentsOf, paramsOf, recordConversation, startLspan, startRaw } from './conversation.js';
import { generateProject } from './project.js';
import { rowOf, takeTurns } from './turns.js';

/** Measures the time until the last of some questions is answered that were asked together. */
export async function measureConcurrency(language, size, { rounds = 100, warmUp = 50 } = {}) {
  const project = await generateProject(language, size);
  const raw = await startRaw(language, project, await recordConversation(language, project));
  const lspan = await startLspan(project);
  const [definition, few] = project.probes;
  const pairs = [1, 8, 32].map((atOnce) => {
    const asked = Array.from({ length: atOnce }, (_, index) => (index % 2 === 0 ? definition : few));
    const together = async (ask) => (await Promise.all(asked.map(ask))).reduce((sum, seen) => sum + seen);
    return {
      name: `${atOnce} at once`,
      count: asked.reduce((sum, { count }) => sum + count, 0),
      sides: [
        {
          times: [],
          ask: () =>
            together(
              async (probe) => (await raw.request(probe.method, paramsOf(probe, project.folder))).length,
            ),
        },
        {
          times: [],
          ask: () => together(async (probe) => (await lspan.call(probe.tool, argumentsOf(probe))).total),
        },
      ],
    };
  });
  await takeTurns(pairs, { rounds, warmUp });
  await Promise.all([raw.stop(), lspan.stop()]);
  return pairs.map((pair) => rowOf(`${size} modules, ${pair.name}`, pair));
}
