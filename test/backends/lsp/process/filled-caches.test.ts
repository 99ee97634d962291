import { expect, it } from 'vitest';
import type { ProjectFacts } from '../../../../src/servers/definition.ts';
import { servers } from '../../../../src/servers/index.ts';
import { noFacts } from '../../../project-facts.ts';

it.each(servers.map((server) => [server.id, server] as const))(
  'CNF-01 %s may not change what lspan has written for it, such as a script that guards it',
  (_id, { program, handshake, confinement }) => {
    const filled = new Set<string>();
    const empty = new Set<string>();
    const cache: ProjectFacts['cache'] = (name, content = {}) => {
      (Object.keys(content).length > 0 ? filled : empty).add(name);
      return `/cache/${name}`;
    };
    const facts = { ...noFacts, cache };
    handshake?.settings?.(facts, '/bin/server');
    handshake?.initializationOptions?.(facts, '/bin/server');
    program.rootArgs?.(facts);
    program.rootEnv?.(facts, '/bin/server', ['/w']);
    program.workingFolder?.(facts);
    confinement?.env?.(facts);
    expect([...filled].filter((name) => empty.has(name))).toEqual([]);
  },
);
