import { isRecord, type Json, list, object } from '../../../core/runtime/json.ts';

/** Hooks that run on the same tools. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly Json[];
}

/** The hooks of lspan in a file of a client, below the key `hooks`. */
export interface HookEntries {
  readonly events: Readonly<Record<string, readonly HookGroup[]>>;
  /** The keys and values by which a hook of lspan is recognised. */
  readonly mark: Readonly<Record<string, string>>;
  /** Keys that lspan keeps right. All others are the user's, once the hook is there. */
  readonly own: Readonly<Record<string, string>>;
}

/** Returns whether a hook is one of lspan. */
export function isMarked(hook: unknown, { mark }: Pick<HookEntries, 'mark'>): boolean {
  return isRecord(hook) && Object.entries(mark).every(([key, value]) => hook[key] === value);
}

/** Returns what a file says when the hooks are added: to each event that has none of lspan. */
export function withHooks(value: Json, entries: HookEntries): Json {
  const hooks = object(value.hooks);
  const events = Object.entries(entries.events).map(([event, groups]) => {
    const there = list(hooks[event]);
    const isThere = there.some((group) => ownHooks(group, entries).length > 0);
    return [event, isThere ? there.map((group) => corrected(group, entries)) : [...there, ...groups]];
  });
  return { ...value, hooks: { ...hooks, ...Object.fromEntries(events) } };
}

/** Returns what a file says without the hooks of lspan, and what is empty without them. */
export function withoutHooks(value: Json, entries: Pick<HookEntries, 'mark'>): Json {
  if (!isRecord(value.hooks)) return value;
  const events = Object.entries(value.hooks).flatMap(([event, there]) => {
    if (!list(there).some((group) => ownHooks(group, entries).length > 0)) return [[event, there]];
    const left = list(there).flatMap((group) => groupWithout(group, entries));
    return left.length === 0 ? [] : [[event, left]];
  });
  const { hooks, ...others } = value;
  const isEmptied = events.length === 0 && Object.keys(hooks).length > 0;
  return isEmptied ? others : { ...value, hooks: Object.fromEntries(events) };
}

function ownHooks(group: unknown, entries: Pick<HookEntries, 'mark'>): readonly Json[] {
  return list(object(group).hooks).flatMap((hook) => (isMarked(hook, entries) ? [object(hook)] : []));
}

function corrected(group: unknown, entries: HookEntries): unknown {
  if (ownHooks(group, entries).length === 0) return group;
  const hooks = list(object(group).hooks);
  return {
    ...object(group),
    hooks: hooks.map((hook) => (isMarked(hook, entries) ? { ...object(hook), ...entries.own } : hook)),
  };
}

/** A group in which the user has hooks too stays. */
function groupWithout(group: unknown, entries: Pick<HookEntries, 'mark'>): readonly unknown[] {
  if (ownHooks(group, entries).length === 0) return [group];
  const left = list(object(group).hooks).filter((hook) => !isMarked(hook, entries));
  return left.length === 0 ? [] : [{ ...object(group), hooks: left }];
}
