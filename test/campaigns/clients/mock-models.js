// A model that is none, on loopback, in the dialects that the clients speak: it calls one tool, or several one after the
// other, and keeps what the client shows it of the answers.
import http from 'node:http';

/**
 * Starts the model; each of `asks` names a tool that it calls, and the arguments. The model waits for its `before`, if
 * there is one, which may do something between two calls; a client that asks once more meanwhile waits for the same.
 */
export async function startMockModel(...asks) {
  const heard = { offered: new Set(), shown: [], requests: [] };
  const done = new Map();
  const server = http.createServer(async (request, response) => {
    const text = await read(request);
    const dialect = dialects.find(({ path }) => path.test(request.url));
    if (!dialect || request.method !== 'POST') return void response.writeHead(404).end('{}');
    const { tools, results, streams } = dialect.hear(JSON.parse(text), request.url);
    for (const name of tools) heard.offered.add(name);
    heard.shown.push(...results);
    if (results.length > 0) heard.requests.push(text);
    const step = asks[results.length];
    if (step?.before && !done.has(step)) done.set(step, step.before());
    await done.get(step);
    const called =
      step?.tool &&
      (tools.find((name) => name === step.tool) ?? tools.find((name) => isTool(name, step.tool)));
    const say = called
      ? { name: called, args: step.args, custom: dialect.isCustom?.(JSON.parse(text), called) }
      : 'Done.';
    const messages = dialect.say(say);
    response.writeHead(200, { 'Content-Type': streams ? 'text/event-stream' : 'application/json' });
    response.end(streams ? messages.map(event).join('') : JSON.stringify(dialect.whole(messages)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    heard,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a client means a tool by a name: it puts the server's before it, and replaces what a model may not say. */
export function isTool(name, tool) {
  return name.endsWith(tool) || name.endsWith(tool.replaceAll(/[^\w-]/g, '_'));
}

async function read(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function event(data) {
  const name = data.type ? `event: ${data.type}\n` : '';
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}

/** Every call of a tool has an id of its own. */
let calls = 0;

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const anthropic = {
  path: /\/v1\/messages(\?|$)/,
  hear: ({ tools = [], messages, stream }) => ({
    tools: tools.map(({ name }) => name),
    results: messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
    streams: stream,
  }),
  say(said) {
    const block =
      typeof said === 'string'
        ? { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: said }, why: 'end_turn' }
        : {
            start: { type: 'tool_use', id: `toolu_${++calls}`, name: said.name, input: {} },
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(said.args) },
            why: 'tool_use',
          };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'mock', content: [], usage };
    return [
      { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: 'content_block_start', index: 0, content_block: block.start },
      { type: 'content_block_delta', index: 0, delta: block.delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: block.why, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
  },
  whole: ([{ message }, , { delta }]) => ({
    ...message,
    content: [{ type: 'text', text: delta.text ?? '' }],
    stop_reason: 'end_turn',
  }),
};

const openaiResponses = {
  path: /\/responses(\?|$)/,
  /** Whether a tool takes text instead of JSON. */
  isCustom: ({ tools = [] }, name) => tools.some((tool) => tool.type === 'custom' && tool.name === name),
  hear: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap(namesOf),
    results: input
      .filter(({ type }) => /^(function|custom_tool)_call_output$/.test(type))
      .map(({ output }) => JSON.stringify(output)),
    streams: true,
  }),
  say(said) {
    const [name, namespace] = typeof said === 'string' ? [] : said.name.split('\0').reverse();
    const item =
      typeof said === 'string'
        ? {
            type: 'message',
            role: 'assistant',
            id: 'msg_1',
            content: [{ type: 'output_text', text: said }],
          }
        : {
            type: said.custom ? 'custom_tool_call' : 'function_call',
            id: 'fc_1',
            call_id: `call_${++calls}`,
            name,
            ...(namespace && { namespace }),
            ...(said.custom ? { input: said.args.input } : { arguments: JSON.stringify(said.args) }),
          };
    return [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_item.done', item },
      { type: 'response.completed', response: { id: 'resp_1', usage } },
    ];
  },
};

/** Tools of one server can come together under a name of their own. */
function namesOf({ type, name, tools = [] }) {
  if (type === 'namespace') return tools.map((tool) => `${name}\0${tool.name}`);
  return name === undefined ? [] : [name];
}

const openaiChat = {
  path: /\/chat\/completions(\?|$)/,
  hear: ({ tools = [], messages, stream }) => ({
    tools: tools.map((tool) => tool.function.name),
    results: messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content)),
    streams: stream,
  }),
  say(said) {
    const told = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'mock' };
    const call = typeof said !== 'string' && {
      index: 0,
      id: `call_${++calls}`,
      type: 'function',
      function: { name: said.name, arguments: JSON.stringify(said.args) },
    };
    const delta = { role: 'assistant', ...(call ? { tool_calls: [call] } : { content: said }) };
    return [
      { ...told, choices: [{ index: 0, delta, finish_reason: null }] },
      { ...told, choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }], usage },
    ];
  },
  whole: ([{ choices, ...told }]) => ({
    ...told,
    choices: [{ index: 0, message: choices[0].delta, finish_reason: 'stop' }],
  }),
};

const gemini = {
  path: /:(stream)?generateContent/i,
  hear: ({ tools = [], contents }, url) => ({
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    results: contents
      .flatMap(({ parts }) => parts)
      .filter((part) => part.functionResponse)
      .map((part) => JSON.stringify(part.functionResponse.response)),
    streams: /:stream/i.test(url),
  }),
  say(said) {
    const part =
      typeof said === 'string' ? { text: said } : { functionCall: { name: said.name, args: said.args } };
    const content = { role: 'model', parts: [part] };
    return [{ candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata: {} }];
  },
  whole: ([message]) => message,
};

const dialects = [anthropic, openaiResponses, openaiChat, gemini];
