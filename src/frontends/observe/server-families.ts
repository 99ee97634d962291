import type { ServerVitals } from '../../core/backend.ts';
import type { Family } from './exposition.ts';

/** The metrics of language servers, those of several folders taken together: a folder is nobody's label. */
export function serverFamilies(vitals: readonly ServerVitals[]): readonly Family[] {
  const ids = [...new Set(vitals.map(({ id }) => id))].sort();
  const each = ids.map((server) => ({ server, own: vitals.filter(({ id }) => id === server) }));
  return [
    {
      name: 'lspan_servers',
      help: 'Language servers that were asked so far, by their state.',
      type: 'gauge',
      samples: each.flatMap(({ server, own }) =>
        states.map((state) => ({
          labels: { server, state },
          value: own.filter((one) => one.state === state).length,
        })),
      ),
    },
    {
      name: 'lspan_server_restarts_total',
      help: 'How often a language server had crashed or failed to start.',
      type: 'counter',
      samples: each.map(({ server, own }) => ({
        labels: { server },
        value: sum(own.map(({ restarts }) => restarts)),
      })),
    },
    {
      name: 'lspan_server_memory_bytes',
      help: 'Memory of a language server and of all that it started, when last looked at.',
      type: 'gauge',
      samples: each.flatMap(({ server, own }) => {
        const known = own.flatMap(({ memoryBytes }) => memoryBytes ?? []);
        return known.length > 0 ? [{ labels: { server }, value: sum(known) }] : [];
      }),
    },
  ];
}

/** All are told, so that a state that was left is seen to be 0. */
const states: readonly ServerVitals['state'][] = [
  'starting',
  'indexing',
  'ready',
  'running',
  'stopped',
  'crashed',
];

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
