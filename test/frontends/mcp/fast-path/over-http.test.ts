import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../../src/frontends/http/exchange.ts';
import { makeFastPath } from '../../../../src/frontends/mcp/fast-path/fast-path.ts';
import { Endpoint } from '../../../../src/frontends/mcp/http/endpoint.ts';
import { makeOffer, type Offer } from '../../../../src/frontends/mcp/offer.ts';
import { mcpServer } from '../../../../src/frontends/mcp/sdk/mcp-server.ts';
import { servePrompts } from '../../../../src/frontends/mcp/sdk/serve-prompts.ts';
import { serveResources } from '../../../../src/frontends/mcp/sdk/serve-resources.ts';
import { registerOfClients } from '../../../../src/frontends/mcp/take-call.ts';
import { catalogue } from '../../../../src/surfaces/catalogue.ts';
import { withSeed } from '../../../with-seed.ts';
import { echo, exchangeOf, messagesOf, openSession, textOf } from '../http/ask-endpoint.ts';

/** An endpoint of a surface, with or without what needs no SDK. */
function endpointOf(offer: Offer, { sessions, plain }: { sessions: boolean; plain: boolean }): Endpoint {
  const files = {
    present: () => undefined,
    open: () => Promise.reject(new Error('nothing is opened')),
    calls: registerOfClients(),
  };
  return new Endpoint({
    make: ({ tokenId }) => {
      const server = mcpServer(offer, (call) => echo({ ...call, scope: tokenId }));
      if (offer.prompts.length > 0) servePrompts(server, offer.prompts);
      if (offer.resourceTemplates.length > 0) serveResources(server, offer.resourceTemplates, files);
      return { server, close: () => {} };
    },
    ...(plain && { fastPath: makeFastPath(offer, { callTool: echo, knowsFiles: () => false }) }),
    sessions,
    log: () => {},
  });
}

const choice = { toolsets: [], readOnly: false, output: 'auto' } as const;
const offers = catalogue.filter(({ name }) => ['lspan', 'gateway'].includes(name));
const modern = '2026-07-28';
const key = (name: string) => `io.modelcontextprotocol/${name}`;

/** JSON text, in which any name of a field is possible. */
const field = fc.constantFrom(
  'a',
  '__proto__',
  'constructor',
  'toString',
  '0',
  'listChanged',
  'cursor',
  'é ',
);
const odd = fc.oneof(
  fc.constantFrom(
    'null',
    '0',
    '-0',
    '1.5',
    '1e400',
    '""',
    '"a"',
    '[]',
    '{}',
    'true',
    '[{}]',
    '9007199254740993',
  ),
  fc
    .array(
      fc.tuple(field, fc.constantFrom('1', 'null', '{}', '[]', '"x"', 'false', '{"__proto__":{"a":1}}')),
      {
        maxLength: 3,
      },
    )
    .map((fields) => objectOf(fields)),
);

/** Of arguments the SDK drops this name without a word, where lspan refuses it as it does any unknown one. */
const given = odd.filter((text) => !Object.hasOwn(Object(JSON.parse(text)), '__proto__'));

function objectOf(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/** Usual fields, of which some are something else, some are missing, and some are too many. */
function strange(
  usual: Readonly<Record<string, fc.Arbitrary<string>>>,
  others: fc.Arbitrary<string> = field,
): fc.Arbitrary<string> {
  const usually = Object.entries(usual).map(([name, value]) =>
    fc
      .oneof(
        { weight: 12, arbitrary: value },
        { weight: 1, arbitrary: name === 'arguments' ? given : odd },
        { weight: 1, arbitrary: fc.constant(undefined) },
      )
      .map((text): readonly (readonly [string, string])[] => (text === undefined ? [] : [[name, text]])),
  );
  const more = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.tuple(others, odd), { maxLength: 2 }) },
  );
  return fc.tuple(...usually, more).map((parts) => objectOf(parts.flat()));
}

const quoted = (...texts: readonly string[]) => fc.constantFrom(...texts.map((text) => JSON.stringify(text)));
const client = strange(
  { name: quoted('tester', 'claude-code'), version: quoted('1') },
  fc.constantFrom('title', 'icons', 'websiteUrl', 'x'),
);
const nested = fc.constantFrom(
  ...[
    '{}',
    '{"roots":{"listChanged":true}}',
    '{"roots":{"listChanged":1}}',
    '{"sampling":{},"elicitation":{}}',
  ],
  ...[
    '{"elicitation":{"form":{"applyDefaults":"x"}}}',
    '{"elicitation":{"form":{},"url":{}}}',
    '{"tasks":5}',
  ],
  ...[
    '{"extensions":{"a/b":{"mimeTypes":["x"]}}}',
    '{"extensions":{"a/b":1}}',
    '{"experimental":[]}',
    '{"x":1}',
  ],
  ...[
    '{"sampling":{"tools":[]}}',
    '{"tasks":{"requests":{"sampling":{"createMessage":{}}}}}',
    '{"elicitation":null}',
  ],
);
const token = fc.constantFrom('1', '"t"', 'null', '1.5');
const claims = strange(
  {
    [key('protocolVersion')]: quoted(modern),
    [key('clientInfo')]: client,
    [key('clientCapabilities')]: nested,
  },
  fc.constantFrom('progressToken', key('logLevel'), 'traceparent', 'x'),
);
const id = fc.constantFrom('1', '"1"', '0', '-1', '-0', '""', '"é"', '1e3', '9007199254740991', '"\\u0000"');

function paramsOf(
  method: string,
  names: readonly string[],
  meta: fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  if (method !== 'tools/call') return strange({ _meta: meta });
  const name = fc.oneof(
    { weight: 5, arbitrary: quoted(...names.slice(0, 3)) },
    { weight: 1, arbitrary: quoted('nothing', '__proto__', 'toString', '') },
  );
  return strange(
    { name, arguments: given, _meta: meta },
    fc.constantFrom('task', 'requestState', 'inputResponses', 'x'),
  );
}

const methods = fc.constantFrom(
  ...['tools/call', 'tools/call', 'tools/call', 'tools/list', 'prompts/list', 'resources/list', 'ping'],
  ...['resources/templates/list', 'server/discover', 'no/such', 'toString', '__proto__'],
);

function requests(names: readonly string[], meta: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return methods.chain((method) =>
    strange(
      {
        jsonrpc: quoted('2.0'),
        id,
        method: quoted(method),
        params: paramsOf(method, names, meta),
      },
      fc.constantFrom('result', 'x'),
    ),
  );
}

const header = (usual: string) =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constant<string | undefined>(usual) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        usual.toUpperCase(),
        `=?base64?${btoa(usual)}?=`,
        '2025-11-25',
        'x',
      ),
    },
  );

function said(body: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).find(([one]) => one === name)?.[1]
        : undefined,
    body,
  );
  return typeof found === 'string' ? found : '';
}

function heard({ status, headers }: HttpReply, text: string) {
  return { status, type: headers?.['Content-Type'], text };
}

describe.each(offers.map((surface) => [surface.name, makeOffer(surface, choice)] as const))(
  'what is answered without the SDK is answered as by it: %s',
  (_name, offer) => {
    const names = offer.tools.map(({ name }) => name);
    const pairOf = (sessions: boolean) =>
      [true, false].map((plain) => endpointOf(offer, { sessions, plain }));
    const [withSessions, without] = [pairOf(true), pairOf(false)];
    afterAll(() => Promise.all([...withSessions, ...without].map((endpoint) => endpoint.close())));

    it('in the 2026 revision, byte for byte', async () => {
      const asked = requests(names, claims).chain((text) => {
        const body: unknown = JSON.parse(text);
        const name = said(body, 'params', 'name');
        return fc.record({
          body: fc.constant(body),
          version: header(modern),
          method: header(said(body, 'method')),
          name: name === '' ? fc.constantFrom(undefined, undefined, undefined, 'x') : header(name),
        });
      });
      const property = fc.asyncProperty(asked, async ({ body, version, method, name }) => {
        const headers = {
          'mcp-protocol-version': version,
          'mcp-method': method,
          'mcp-name': name,
        };
        const [one, other] = await Promise.all(
          withSessions.map(async ({ serve }) => {
            const reply = await serve(exchangeOf({ body, headers }));
            return heard(reply, await textOf(reply));
          }),
        );
        expect(one).toEqual(other);
      });
      await fc.assert(property, withSeed({ numRuns: 100 }));
    });

    it('in the 2025 revisions, message for message', async () => {
      const ids = await Promise.all(withSessions.map((endpoint) => openSession(endpoint)));
      const meta = strange({}, fc.constantFrom('progressToken', key('clientInfo'), 'x')).chain((plainly) =>
        fc.oneof(
          fc.constant(plainly),
          token.map((one) => `{"progressToken":${one}}`),
        ),
      );
      const property = fc.asyncProperty(requests(names, meta), async (text) => {
        const body: unknown = JSON.parse(text);
        const ask = async ({ serve }: Endpoint, session: string | undefined) => {
          const reply = await serve(exchangeOf({ body, headers: { 'mcp-session-id': session } }));
          return { status: reply.status, text: JSON.stringify(await messagesOf(reply)) };
        };
        const [one, other] = await Promise.all(withSessions.map((endpoint, at) => ask(endpoint, ids[at])));
        expect(one).toEqual(other);
        const [alone, apart] = await Promise.all(without.map((endpoint) => ask(endpoint, undefined)));
        expect(alone).toEqual(apart);
      });
      await fc.assert(property, withSeed({ numRuns: 100 }));
    });
  },
);
