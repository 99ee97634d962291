import type { Span } from '../../../core/question.ts';
import { isScript } from '../../../source-text/imports.ts';
import {
  calledFor,
  firstCalled,
  isNameOfLoader,
  mayGiveModule,
} from '../../../source-text/members/first-called.ts';
import { valueBefore } from '../../../source-text/members/written-class.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { documentAt } from '../../show/document-at.ts';
import { isAtTop, type Resolving } from './resolving.ts';
import { originOf } from './typed-member.ts';

/**
 * True if the mention is a member of what a function returns, and the symbol is declared at the top of a file: it is a
 * member of nothing but a module, and functions that give modules show it.
 */
export async function isOfNoModule({ path, range }: Span, resolving: Resolving): Promise<boolean> {
  if (!isScript(path) || !(await isAtTop(resolving))) return false;
  const document = await documentAt(resolving.context, path);
  if (!document) return false;
  const offset = document.offsetAt(range.start);
  const called = firstCalled(document.text, offset);
  if (called !== undefined) return givesNoModule(document, called, resolving);
  const value = valueBefore(document.text, offset);
  const variable = value === undefined ? undefined : await originOf(document, value, resolving);
  if (!variable || !('holder' in variable)) return false;
  const { holder, declared } = variable;
  const made = calledFor(holder.text, declared);
  return made !== undefined && givesNoModule(holder, made, resolving);
}

async function givesNoModule(document: Document, called: number, resolving: Resolving): Promise<boolean> {
  if (isNameOfLoader(document.text, called)) return false;
  const origin = await originOf(document, called, resolving);
  if (!origin) return false;
  if ('holder' in origin) return !mayGiveModule(origin.holder.text, origin.declared);
  if (origin.isForeign) return true;
  const texts = origin.sources.map(async ({ path, range }) => {
    const source = await documentAt(resolving.context, path);
    return source === undefined || mayGiveModule(source.text, source.offsetAt(range.start));
  });
  return texts.length > 0 && !(await Promise.all(texts)).includes(true);
}
