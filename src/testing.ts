export {
  type FakeMessage,
  type FakeOptions,
  type FakeServer,
  fakeServer,
} from './testing/fake-server.ts';
export type { Action as FakeAction, FakeScript, Rule as FakeRule } from './testing/script.ts';
