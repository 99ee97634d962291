import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { openGateway, rangeOn } from './open-gateway.ts';

const files = { 'a.txt': 'ERROR_1\n', 'b.txt': 'fine\n' };
const problem = { range: rangeOn(0, 0, 7), severity: 'error', code: 'ERROR_1' };
const config = { limits: { ...defaultConfig.limits, diagnostics: 200, diagnosticsCold: 200 } };
const absent = { command: ['/nowhere/absent'] };
const mute = { lives: [{ diagnostics: 'none' }] } as const;

/** What another server has found is told all the same, however often it is asked for. */
describe('diagnostics next to a server that will never report any', () => {
  it.each(Object.entries({ absent, mute }))('%s: are shown with a doubt', async (name, server) => {
    const bridge = await openGateway({ files, config, servers: { fake: {}, [name]: server } });
    const uri = bridge.uri('a.txt');
    const detail = `${name} may not have checked the current text of a.txt.`;
    const doubt = { kind: 'indexing', server: name, detail };
    for (let time = 0; time < 2; time += 1) {
      const document = await bridge.ask('diagnostics.document', { uri });
      expect(document).toMatchObject({ diagnostics: [problem], complete: false });
      expect(document.doubts).toContainEqual(doubt);
      const workspace = await bridge.ask('diagnostics.workspace', {});
      expect(workspace).toMatchObject({
        items: [{ uri, state: 'pending', diagnostics: [problem] }],
        whole: false,
        complete: false,
      });
      expect(workspace.doubts).toContainEqual(doubt);
    }
  });

  it('are not an answer yet if that server may still be loading', async () => {
    const loading = { ...mute, ready: { kind: 'log', message: /loaded/ } } as const;
    const bridge = await openGateway({ files, config, servers: { fake: {}, loading }, deadline: 1_000 });
    await bridge.refuse('diagnostics.document', { uri: bridge.uri('a.txt') }, 'TIMEOUT');
  });
});
