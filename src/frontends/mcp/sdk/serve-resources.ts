import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  specTypeSchemas,
} from '@modelcontextprotocol/server';
import type { Bridge } from '../../../bridge.ts';
import { asLspanError, type ErrorCode } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { CallsInProgress } from '../../../core/runtime/calls-in-progress.ts';
import { object, text } from '../../../core/runtime/json.ts';
import { visible } from '../../../core/wording/visible.ts';
import { fail } from '../../../tools/run/render-error.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import {
  diagnosticsTemplate,
  diagnosticsUri,
  fileOfUri,
  type ResourceTemplate,
  textType,
} from '../diagnostics-uri.ts';
import { Progress } from '../progress.ts';
import { type Subscriptions, tooMany } from '../subscriptions.ts';
import { takeCall } from '../take-call.ts';
import { invalid, named } from './invalid.ts';
import { notifyOf } from './mcp-server.ts';

/** Access to the files of the workspace. */
interface Files {
  /** Returns the open bridge, without opening one. */
  readonly present: () => Bridge | undefined;
  readonly open: () => Promise<Bridge>;
  /** Reading counts as a call: a flood of reads delays others as much. */
  readonly calls: CallsInProgress;
  /** Identifies the caller, where there are several. */
  readonly scope?: string | undefined;
}

/** Serves the requests about resources: the diagnostics of files. */
export function serveResources(
  server: Server,
  templates: readonly ResourceTemplate[],
  files: Files,
  subscriptions?: Subscriptions,
): void {
  const {
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
  } = specTypeSchemas;
  server.setRequestHandler('resources/templates/list', { params: PaginatedRequestParams }, ({ cursor }) => {
    if (cursor !== undefined) throw invalid('Send no cursor: the list has one page.');
    return { resourceTemplates: templates.map((one) => ({ ...one })) };
  });
  server.setRequestHandler('resources/list', { params: PaginatedRequestParams }, async ({ cursor }) => {
    const known = (await files.present()?.resources?.filesWithProblems()) ?? [];
    return listed(known, cursor);
  });
  server.setRequestHandler(
    'resources/read',
    { params: ReadResourceRequestParams },
    async ({ uri }, context) => {
      const { text, data, isError } = await read(uri, files, context);
      if (isError) throw refusal(uri, text, data);
      return { contents: [{ uri, mimeType: textType, text }] };
    },
  );
  if (!subscriptions) return;
  server.setRequestHandler('resources/subscribe', { params: SubscribeRequestParams }, async ({ uri }) => {
    const bridge = await files.open();
    const located = bridge.resources?.locate(fileIn(uri));
    await located?.catch((error: unknown) => {
      const { text, data } = fail(asLspanError(error));
      throw refusal(uri, text, data);
    });
    if (!subscriptions.add(uri)) throw invalid(tooMany);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', { params: UnsubscribeRequestParams }, ({ uri }) => {
    subscriptions.remove(uri);
    return {};
  });
}

/** Returns a page in path order; the cursor is its last path, so it stays valid when files come and go. */
function listed(known: readonly string[], cursor: string | undefined) {
  const after = cursor === undefined ? '' : fileOfUri(cursor);
  if (after === undefined) throw invalid('This cursor is not from this list.');
  const rest = known.filter((file) => file > after);
  const page = rest.slice(0, limits.resources.page);
  const last = page.at(-1);
  return {
    resources: page.map((file) => ({ uri: diagnosticsUri(file), name: visible(file), mimeType: textType })),
    ...(last !== undefined && rest.length > page.length && { nextCursor: diagnosticsUri(last) }),
  };
}

async function read(uri: string, { open, calls, scope }: Files, context: ServerContext): Promise<Outcome> {
  const file = fileIn(uri);
  const notify = notifyOf(context);
  const progress = notify && new Progress('Checking for problems.', notify);
  const report = (message: string) => progress?.report(message);
  const work = async () => {
    const bridge = await open();
    const { resources } = bridge;
    // Without a workspace there are no resources, and the error of the bridge says what to do.
    return resources
      ? resources.problemsOf(file, { signal: context.mcpReq.signal, report, scope })
      : bridge.call('get_diagnostics', {});
  };
  return takeCall(calls, work, { owner: scope, signal: context.mcpReq.signal })
    .catch((error) => fail(asLspanError(error)))
    .finally(() => progress?.end());
}

function fileIn(uri: string): string {
  const file = fileOfUri(uri);
  if (file === undefined) {
    const { uriTemplate } = diagnosticsTemplate;
    throw notFound(uri, `There is no resource ${named(uri)}. Their URIs are ${uriTemplate}.`);
  }
  return file;
}

/** A resource that is absent or must not be read is not found; any other failure is an internal error. */
function refusal(uri: string, message: string, data: Outcome['data']): ProtocolError {
  const code = text(object(data.error).code);
  return code !== undefined && noResource.has(code)
    ? notFound(uri, message)
    : new ProtocolError(ProtocolErrorCode.InternalError, message);
}

const noResource: ReadonlySet<string> = new Set<ErrorCode>([
  'not_found',
  'outside_workspace',
  'invalid_input',
]);

/** The SDK sends it with the code of the client's revision. */
function notFound(uri: string, message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.ResourceNotFound, message, { uri });
}
