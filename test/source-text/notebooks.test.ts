import { expect, test } from 'vitest';
import { codeOfNotebook, isNotebook } from '../../src/source-text/notebooks.ts';

const cell = (source: unknown, cell_type = 'code') => ({ cell_type, source });
const notebook = (cells: readonly unknown[], metadata = {}) => JSON.stringify({ cells, metadata });

test.each([
  ['lines', notebook([cell(['import nb\n', 'nb.run()'])]), 'import nb\nnb.run()'],
  ['one text', notebook([cell('import nb\nnb.run()')]), 'import nb\nnb.run()'],
  ['several cells', notebook([cell(['a = 1']), cell(['b = 2'])]), 'a = 1\nb = 2'],
  ['prose', notebook([cell(['import nb'], 'markdown')]), ''],
  ['another language', notebook([cell(['import nb'])], { language_info: { name: 'julia' } }), ''],
  ['its kernel', notebook([cell(['import nb'])], { kernelspec: { language: 'python' } }), 'import nb'],
  ['no JSON', '{"cells": [', ''],
  ['no notebook', '[1, null]', ''],
  ['odd cells', notebook([null, 1, cell([1, null, 'import nb'])]), 'import nb'],
])('the code of a notebook of %s', (_, text, code) => {
  expect(codeOfNotebook(text)).toBe(code);
});

test('a notebook is known by its name', () => {
  expect(isNotebook('a/b.ipynb')).toBe(true);
  expect(isNotebook('a/b.py')).toBe(false);
});
