import path from 'node:path';
import type { Reply } from '../../../../src/core/backend.ts';
import { beginCall, type Call } from '../../../../src/core/call.ts';
import type { Proposal } from '../../../../src/core/proposal.ts';
import type { Action, Question } from '../../../../src/core/question.ts';
import { servers as builtIn } from '../../../../src/servers/index.ts';
import type { FakeScript, Rule, Action as Step } from '../../../fake-server/script.ts';
import { patient } from '../../../patient.ts';
import { openTestWorld, type TestSetting, type TestWorld } from '../../../test-bridge.ts';

/** A world with short ways to ask what servers offer to do. */
export interface ActionsWorld extends TestWorld {
  readonly call: Call;
  offered(file: string, more?: Partial<Question<'actions'>>): Promise<Reply<readonly Action[]>>;
  /** What the action of a title would change, which is offered first. */
  propose(file: string, title: string): Promise<Proposal>;
  format(file: string, more?: Partial<Question<'format'>>): Promise<Proposal>;
  /** The parameters of every request of a method that a server has read. */
  asked(method: string, server?: string): readonly unknown[];
}

/** Opens one over fake servers. */
export async function openActionsWorld(setting: TestSetting = {}): Promise<ActionsWorld> {
  const world = await openTestWorld({
    files: { 'a.txt': 'function alpha\nERROR_one WARN_two\n' },
    ...setting,
  });
  const { backend, workspace, root } = world;
  const call = beginCall({ time: 100_000 });
  const offered: ActionsWorld['offered'] = async (file, more = {}) => {
    await workspace.refresh(call);
    return backend.ask({ kind: 'actions', path: path.join(root, file), ...more }, call);
  };
  return {
    ...world,
    call,
    offered,
    propose: async (file, title) => {
      const { answer } = await offered(file, { only: ['quickfix', 'source', 'refactor'] });
      return backend.propose(titled(answer, title), call);
    },
    format: async (file, more = {}) => {
      await workspace.refresh(call);
      const layout = { tabSize: 2, insertSpaces: true };
      const question = { kind: 'format' as const, path: path.join(root, file), layout, ...more };
      return (await backend.ask(question, call)).answer;
    },
    asked: (method, server) =>
      world.received(server).flatMap((message) => (message.method === method ? [message.params] : [])),
  };
}

/** Opens one over real servers. */
export function openRealActions(
  servers: readonly string[],
  setting: TestSetting = {},
): Promise<ActionsWorld> {
  const disabledServers = builtIn.map(({ id }) => id).filter((id) => !servers.includes(id));
  return openActionsWorld({ ...setting, servers: {}, config: { ...patient, disabledServers } });
}

/** The one action of a title. */
export function titled(actions: readonly Action[], title: string): Action {
  const found = actions.filter((action) => action.title === title);
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} actions have the title ${title}.`);
  return found[0];
}

/** A server that answers a request for actions with these, and to whom something else happens. */
export function offering(actions: readonly unknown[], ...rules: readonly Rule[]): FakeScript {
  return { rules: [on('textDocument/codeAction', { replyValue: actions }), ...rules] };
}

/** What a server does at a request. */
export function on(method: string, ...steps: readonly Step[]): Rule {
  return { on: { method }, do: steps };
}
