import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser';
import { type Json, object } from '../../../core/runtime/json.ts';
import { cannotChange, withoutPrototypes } from './entry-format.ts';
import { type HookEntries, isMarked, withHooks, withoutHooks } from './hook-entries.ts';
import { checkedJson, correctObject, deepest, jsonFormat, jsonFromNothing } from './json-format.ts';
import { insertElement, insertProperty } from './json-insert.ts';
import { removeItem } from './json-remove.ts';
import { applyChanges, refusedAt, type TextChange } from './text-change.ts';

/** Adds the hooks of lspan to a text, or corrects those that are there; checks that nothing else has changed. */
export function addHooks(text: string, entries: HookEntries): readonly TextChange[] {
  const changes: TextChange[] = [];
  for (const event of Object.keys(entries.events))
    changes.push(...addEvent(applyChanges(text, changes), event, entries));
  checkSays(text, changes, withHooks(jsonFormat.read(text), entries));
  return changes;
}

/** Takes the hooks of lspan out of a text, and what is empty without them; checks that nothing else has changed. */
export function removeHooks(text: string, entries: Pick<HookEntries, 'mark'>): readonly TextChange[] {
  const changes: TextChange[] = [];
  for (let now = text; ; now = applyChanges(text, changes)) {
    const item = firstOwn(checkedJson(now), entries);
    if (item === undefined) break;
    changes.push(...removeItem(now, item));
  }
  checkSays(text, changes, withoutHooks(jsonFormat.read(text), entries));
  return changes;
}

function addEvent(text: string, event: string, entries: HookEntries): readonly TextChange[] {
  const root = checkedJson(text);
  const groups = entries.events[event] ?? [];
  if (root === undefined) return [jsonFromNothing(text, { hooks: { [event]: groups } })];
  const { object: inner, rest } = deepest(text, root, ['hooks']);
  if (rest.length > 0) return insertProperty(text, { root, inner }, 'hooks', { [event]: groups });
  const there = listOf(text, inner, event);
  if (there === undefined) return insertProperty(text, { root, inner }, event, groups);
  const own = ownNodes(there, entries);
  const changes: TextChange[] = [];
  if (own.length > 0) {
    for (const { path } of own)
      changes.push(...correctObject(applyChanges(text, changes), ['hooks', event, ...path], entries.own));
    return changes;
  }
  for (const group of groups) {
    const now = applyChanges(text, changes);
    const root = checkedJson(now);
    const inner = root && findNodeAtLocation(root, ['hooks', event]);
    if (root && inner) changes.push(...insertElement(now, { root, inner }, group));
  }
  return changes;
}

/** Returns the list of an event; `undefined` if it has none. */
function listOf(text: string, hooks: Node, event: string): Node | undefined {
  const [first, second] = (hooks.children ?? []).filter(({ children }) => children?.[0]?.value === event);
  if (second !== undefined) throw refusedAt(text, second.offset, `"${event}" is there twice.`);
  const there = first?.children?.[1];
  if (there !== undefined && there.type !== 'array')
    throw refusedAt(text, there.offset, `"${event}" is not a JSON array.`);
  return there;
}

/** A hook of lspan: its node, the group around it, and the path to it from the list of its event. */
interface OwnNode {
  readonly node: Node;
  readonly group: Node;
  readonly isAlone: boolean;
  readonly path: readonly (string | number)[];
}

function ownNodes(event: Node, entries: Pick<HookEntries, 'mark'>): readonly OwnNode[] {
  return (event.type === 'array' ? (event.children ?? []) : []).flatMap((group, at) => {
    const inner = group.type === 'object' ? findNodeAtLocation(group, ['hooks']) : undefined;
    const hooks = (inner?.type === 'array' ? inner.children : undefined) ?? [];
    const marked = hooks.filter((hook) => isMarked(object(getNodeValue(hook)), entries));
    const isAlone = marked.length === hooks.length;
    return marked.map((node) => ({ node, group, isAlone, path: [at, 'hooks', hooks.indexOf(node)] }));
  });
}

/** Returns what goes next: a hook, or the outermost that has nothing but hooks of lspan. */
function firstOwn(root: Node | undefined, entries: Pick<HookEntries, 'mark'>): Node | undefined {
  const hooks = root && findNodeAtLocation(root, ['hooks']);
  const events = hooks?.type === 'object' ? (hooks.children ?? []) : [];
  for (const property of events) {
    const there = property.children?.[1];
    const [own] = there === undefined ? [] : ownNodes(there, entries);
    if (own === undefined) continue;
    if (!own.isAlone) return own.node;
    if (there?.children?.length !== 1) return own.group;
    return events.length === 1 ? hooks?.parent : property;
  }
  return undefined;
}

function checkSays(text: string, changes: readonly TextChange[], wanted: Json): void {
  const after = jsonFormat.read(applyChanges(text, changes));
  if (!isDeepStrictEqual(withoutPrototypes(after), withoutPrototypes(wanted))) throw cannotChange();
}
