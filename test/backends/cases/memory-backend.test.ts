import { describe } from 'vitest';
import { combineBackends } from '../../../src/backends/combine-backends.ts';
import { temporaryFolder, writeFiles } from '../../workspace/sandbox.ts';
import { backendCases, type Condition, type OpenBackend } from './backend-cases.ts';
import { type MemoryOptions, memoryBackend } from './memory-backend.ts';

/** It checks the present text each time, so that its problems are never pending or stale. */
const without: readonly Condition[] = ['checks_never', 'checks_once'];

const options: Readonly<Partial<Record<Condition, MemoryOptions>>> = {
  unable: { unable: ['definition'] },
  silent: { silent: ['definition'] },
  loading: { doubts: [{ kind: 'indexing', detail: 'It is loading.' }] },
};

const openWith =
  (make: (root: string, condition: Condition) => Awaited<ReturnType<OpenBackend>>['backend']): OpenBackend =>
  async (files, condition) => {
    const root = temporaryFolder(files);
    const write = (file: string, text: string) => writeFiles(root, { [file]: text });
    return { backend: make(root, condition), root, write, refresh: async () => {} };
  };

const memory = (root: string, condition: Condition) => memoryBackend(root, options[condition]);

describe('a backend that only answers', () => {
  backendCases(openWith(memory), without);
});

describe('such a backend beside one that has nothing to say', () => {
  const beside = (root: string, condition: Condition) => {
    const other = memoryBackend(root, {
      id: 'other',
      extension: 'other',
      unable: ['definition', 'references'],
    });
    return combineBackends([other, memory(root, condition)], [root]);
  };
  backendCases(openWith(beside), without);
});
