import type { ReadySignal, ServerDefinition } from '../../src/servers/definition.ts';
import { field } from '../../src/servers/traits.ts';

const program = { sources: [], args: [] } as const;

const define = (id: string, ready: ReadySignal, more: Partial<ServerDefinition> = {}): ServerDefinition => ({
  id,
  extensions: { txt: 'plaintext' },
  program,
  ready,
  install: 'It is part of the tests.',
  ...more,
});

/** Servers of every kind of readiness, to stand in for those that lspan knows; a test gives each its program. */
export const servers: readonly ServerDefinition[] = [
  define('ready', { kind: 'immediate' }),
  define(
    'loading',
    { kind: 'progress', title: /^Loading/ },
    { program: { ...program, childDied: /^The worker has died/ } },
  ),
  define('republishing', { kind: 'progress', title: /^Loading/, republishes: true }),
  define('sequential', { kind: 'progress', title: /^Loading/, inTurn: true }),
  define('logging', { kind: 'log', message: /^Loaded/ }),
  define(
    'notifying',
    {
      kind: 'notification',
      method: '$/status',
      ready: (params) => JSON.stringify(params) === '{"ready":true}',
    },
    { diagnostics: { quiet: 3_000 } },
  ),
  define('enquired', { kind: 'request', method: 'fake/ready', ready: (result) => result === true }),
  define('complaining', {
    kind: 'notification',
    method: '$/status',
    ready: () => true,
    trouble: (params) =>
      JSON.stringify(params) === '{"broken":true}' ? 'The project is broken.' : undefined,
  }),
  define(
    'checking',
    { kind: 'immediate' },
    {
      diagnostics: {
        checkCommand: {
          command: 'check',
          arguments: (file) => [file],
          others: [(file) => [file, 'other']],
          proves: (answer) => answer === 'checked' || answer === 'nothing',
          foundNothing: (answer) => answer === 'nothing',
        },
      },
    },
  ),
  define('fetching', { kind: 'immediate' }, { mayWaitForNetwork: true }),
  define(
    'announcing',
    { kind: 'progress', title: /^Loading/ },
    // Only the end of its checks shows that no more is to come.
    { diagnostics: { tellsVersions: true, checking: /^Checking/, quiet: 60_000 } },
  ),
  define(
    'dazed',
    { kind: 'immediate' },
    {
      diagnostics: {
        verdict: (_method, params) => {
          const uri = field(params, 'uri');
          if (typeof uri !== 'string') return undefined;
          const isFailed = JSON.stringify(params).includes('dazed');
          return isFailed ? { uri, failure: 'it is dazed', mayPass: true } : { uri };
        },
      },
    },
  ),
  define(
    'forward',
    { kind: 'progress', title: /^Loading/ },
    {
      diagnostics: {
        beforeReady: (found) => found.every((one) => field(one, 'severity') !== 1),
        quiet: 1,
      },
    },
  ),
  define(
    'including',
    { kind: 'immediate' },
    {
      sync: {
        readsOnlyOpen: true,
        publishesWhenRead: true,
        sources: { files: /[ab]\.txt$/, head: (text) => text.split('code')[0] ?? '' },
      },
    },
  ),
  define('patient', { kind: 'immediate' }, { diagnostics: { quiet: 3_000 } }),
];
