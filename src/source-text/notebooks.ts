import { list, object, text as textOf } from '../core/runtime/json.ts';

/**
 * True for a notebook of Jupyter: the text of the file is JSON, and a server that reads notebooks counts lines in the code of
 * its cells.
 */
export function isNotebook(file: string): boolean {
  return file.toLowerCase().endsWith('.ipynb');
}

/** Returns the code of the cells of a notebook of Python; nothing if the text is none. */
export function codeOfNotebook(text: string): string {
  const { cells, metadata } = object(parsed(text));
  const { kernelspec, language_info } = object(metadata);
  const language = textOf(object(language_info).name) ?? textOf(object(kernelspec).language) ?? 'python';
  if (!/python/i.test(language)) return '';
  const sources = list(cells).flatMap((cell) => {
    const { cell_type, source } = object(cell);
    return cell_type === 'code' ? [joined(source)] : [];
  });
  return sources.join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function joined(source: unknown): string {
  const lines = typeof source === 'string' ? [source] : list(source);
  return lines.filter((line) => typeof line === 'string').join('');
}
