import { ProtocolError, ProtocolErrorCode, type Server, specTypeSchemas } from '@modelcontextprotocol/server';
import { image } from './fixture-media.ts';

const fixed: Readonly<Record<string, { mimeType: string } & ({ text: string } | { blob: string })>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: image.data },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

/** Answers what the suite asks about resources. */
export function fixtureResources(server: Server): void {
  const { SubscribeRequestParams, UnsubscribeRequestParams } = specTypeSchemas;
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(fixed).map(([uri, { mimeType }]) => ({
      uri,
      name: uri.replace('test://', ''),
      description: `For the suite: ${uri}`,
      mimeType,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const found = fixed[uri] ?? fromTemplate(uri);
    if (!found) throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, 'Resource not found', { uri });
    return { contents: [{ uri, ...found }] };
  });
  server.setRequestHandler('resources/subscribe', { params: SubscribeRequestParams }, () => ({}));
  server.setRequestHandler('resources/unsubscribe', { params: UnsubscribeRequestParams }, () => ({}));
}

function fromTemplate(uri: string) {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { mimeType: 'application/json', text: JSON.stringify(data) };
}
