import { isDeepStrictEqual } from 'node:util';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseOptions,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { type Json, object } from '../../../core/runtime/json.ts';
import type { EntryFormat, ServerEntry } from './entry-format.ts';
import { insertProperty } from './json-insert.ts';
import { removeItem } from './json-remove.ts';
import { renderJson } from './render-json.ts';
import {
  applyChanges,
  fromTheEnd,
  insertion,
  lineEndingOf,
  refusedAt,
  replaceRange,
  type TextChange,
} from './text-change.ts';

/** JSON, with comments and trailing commas where the file has them. */
export const jsonFormat: EntryFormat = { read, add, remove };

const lenient: ParseOptions = { allowTrailingComma: true, allowEmptyContent: true };

function read(text: string): Json {
  checkedJson(text);
  return object(parse(text, [], lenient) ?? {});
}

function add(text: string, path: readonly string[], entry: ServerEntry): readonly TextChange[] {
  const root = checkedJson(text);
  if (root === undefined) return [jsonFromNothing(text, nested(path, { ...entry.own, ...entry.initial }))];
  const { object: inner, rest } = deepest(text, root, path);
  const [key, ...more] = rest;
  if (key !== undefined) {
    return insertProperty(text, { root, inner }, key, nested(more, { ...entry.own, ...entry.initial }));
  }
  return correctObject(text, path, entry.own);
}

/** Replaces the values of an object that differ, then adds the missing ones, each to the text that the others have left. */
export function correctObject(
  text: string,
  path: readonly (string | number)[],
  own: Readonly<Record<string, unknown>>,
): readonly TextChange[] {
  const found = objectAt(text, path);
  if (found === undefined) return [];
  const style = { ending: '', indent: '', unit: '', isInline: true };
  const there = Object.entries(own).flatMap(([name, value]) => {
    const node = findNodeAtLocation(found.inner, [name]);
    if (node === undefined || isDeepStrictEqual(getNodeValue(node), value)) return [];
    return replaceRange(text, node.offset, node.offset + node.length, renderJson(value, style));
  });
  const missing = Object.entries(own).filter(
    ([name]) => findNodeAtLocation(found.inner, [name]) === undefined,
  );
  const changes = [...fromTheEnd(there)];
  for (const [name, value] of missing) {
    const now = applyChanges(text, changes);
    const place = objectAt(now, path);
    if (place) changes.push(...insertProperty(now, place, name, value));
  }
  return changes;
}

function objectAt(text: string, path: readonly (string | number)[]) {
  const root = checkedJson(text);
  const inner = root && findNodeAtLocation(root, [...path]);
  return root && inner && { root, inner };
}

function remove(text: string, path: readonly string[], around: number): readonly TextChange[] {
  const root = checkedJson(text);
  const found = root && findNodeAtLocation(root, [...path]);
  if (found?.parent === undefined) return [];
  let property = found.parent;
  for (let left = around; left > 0 && property.parent?.children?.length === 1; left--) {
    const outer = property.parent.parent;
    if (outer?.type !== 'property') break;
    property = outer;
  }
  return removeItem(text, property);
}

/** Returns the root of a file, `undefined` if it has no value yet. Throws where it is no JSON object. */
export function checkedJson(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, lenient);
  const [first] = errors;
  if (first !== undefined) throw refusedAt(text, first.offset, `this is not JSON (${wordsOf(first.error)}).`);
  if (root !== undefined && root.type !== 'object')
    throw refusedAt(text, root.offset, 'this is not a JSON object.');
  return root;
}

function wordsOf(code: number): string {
  return printParseErrorCode(code)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** Returns the innermost object of a path that is there, and the keys that are missing below it. */
export function deepest(
  text: string,
  root: Node,
  path: readonly string[],
): { readonly object: Node; readonly rest: readonly string[] } {
  let inner = root;
  for (const [index, key] of path.entries()) {
    const same = (inner.children ?? []).filter(({ children }) => children?.[0]?.value === key);
    const [property, second] = same;
    if (property === undefined) return { object: inner, rest: path.slice(index) };
    if (second !== undefined) throw refusedAt(text, second.offset, `"${key}" is there twice.`);
    const value = property.children?.[1];
    if (value?.type !== 'object')
      throw refusedAt(text, value?.offset ?? property.offset, `"${key}" is not a JSON object.`);
    inner = value;
  }
  return { object: inner, rest: [] };
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** Returns the change that puts a value into a file that is empty, or has comments only. */
export function jsonFromNothing(text: string, value: unknown): TextChange {
  const ending = lineEndingOf(text);
  const rendered = renderJson(value, { ending, indent: '', unit: '  ', isInline: false });
  const isNewLine = text === '' || text.endsWith('\n');
  return insertion(text.length, isNewLine ? `${rendered}${ending}` : `${ending}${rendered}`);
}
