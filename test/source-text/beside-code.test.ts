import { expect, it } from 'vitest';
import { accompaniesCode } from '../../src/source-text/beside-code.ts';

it.each([
  '/w/README.md',
  '/w/package.json',
  '/w/.eslintrc',
  '/w/a.yml',
  '/w/Cargo.lock',
  '/w/go.mod',
  '/w/docs/a.html',
  '/w/Dockerfile.dev',
])('%s accompanies code', (path) => expect(accompaniesCode(path)).toBe(true));

it.each([
  '/w/a.ts',
  '/w/a.vue',
  '/w/a.svelte',
  '/w/a.tf',
  '/w/a.sh',
  '/w/md',
  '/w/go.mode',
  '/w/json.py',
  '/w/mod',
])('%s is code, or nobody knows', (path) => expect(accompaniesCode(path)).toBe(false));
