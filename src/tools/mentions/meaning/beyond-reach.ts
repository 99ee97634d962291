import { dirname } from 'node:path';
import type { Call } from '../../../core/call.ts';
import { isC } from '../../../source-text/c-files.ts';
import { isOfOwnPackage } from '../../../source-text/names/go-names.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { UnservedC } from '../unserved/unserved-c.ts';
import type { SearchedSymbol } from './searched-symbol.ts';

/** Returns whether the code of a file cannot name a symbol, whoever reads it. */
type IsBeyond = (file: string) => boolean | Promise<boolean>;

/** Returns the test for files whose code cannot name a symbol, by the rules of its language. */
export async function beyondReach(
  { context, call }: { readonly context: ToolContext; readonly call: Call },
  symbol: SearchedSymbol,
): Promise<IsBeyond> {
  const { path } = symbol.place;
  if (isC(path)) {
    const own = new UnservedC(context, symbol, call);
    return (file) => own.isBeyond(file);
  }
  return path.endsWith('.go') ? beyondPackage(context, symbol) : () => false;
}

/** What is not exported, the code of other packages cannot name: of those in other folders. */
async function beyondPackage(
  context: ToolContext,
  { place: { path, position }, name, references }: SearchedSymbol,
): Promise<IsBeyond> {
  const document = await documentAt(context, path);
  const folder = dirname(path);
  const isOwn =
    document !== undefined &&
    isOfOwnPackage(path, document.text, { name, line: document.line(position.line) }) &&
    references.every((one) => dirname(one.path) === folder);
  return (file) => isOwn && file.endsWith('.go') && dirname(file) !== folder;
}
