import { LspanError } from '../../core/errors.ts';
import { nearestName } from '../../core/wording/nearest-name.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { Config, ConfiguredServer } from '../config.ts';
import { changeDefinition } from './change-definition.ts';

/** Applies the servers that the user changed, added and disabled to the built-in definitions. */
export function mergeDefinitions(
  builtIn: readonly ServerDefinition[],
  config: Config,
): readonly ServerDefinition[] {
  const configured = new Map(config.servers.map((server) => [server.id, server]));
  const off = new Set([...config.disabledServers, ...config.servers.filter(isDisabled).map(({ id }) => id)]);
  const ids = new Set(builtIn.map(({ id }) => id));
  const added = config.servers.filter(({ id }) => !ids.has(id) && !off.has(id));
  const change = (ours: ServerDefinition) => {
    const server = configured.get(ours.id);
    return server === undefined ? ours : changeDefinition(ours, server);
  };
  return [
    ...added.map((server) => addServer(server, config, [...ids])),
    ...builtIn.filter(({ id }) => !off.has(id)).map(change),
  ];
}

function isDisabled(server: ConfiguredServer): boolean {
  return server.enabled === false;
}

function addServer(server: ConfiguredServer, config: Config, known: readonly string[]): ServerDefinition {
  const { id, command, extensions } = server;
  if (command === undefined || extensions === undefined) throw incomplete(server, config, known);
  const plain: ServerDefinition = {
    id,
    extensions: {},
    program: { sources: [], args: [] },
    ready: { kind: 'unknown' },
    install: '',
  };
  return changeDefinition(plain, server);
}

function incomplete(server: ConfiguredServer, config: Config, known: readonly string[]): LspanError {
  const nearest = nearestName(server.id, known);
  const where = config.userFile === undefined ? 'The configuration' : `The configuration ${config.userFile}`;
  const fix =
    nearest === undefined
      ? 'Give it command and extensions'
      : `Did you mean ${nearest}? Else give it command and extensions`;
  return new LspanError(
    'invalid_input',
    `${where} cannot be used: servers: lspan knows no server ${server.id}. ${fix}.`,
    { nextStep: 'Correct the configuration file, then start lspan again.' },
  );
}
