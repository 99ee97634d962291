import {
  acceptedContent,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { clientCan } from './client-can.ts';
import { type FixtureTool, text, tool } from './fixture-tools.ts';

/** Seals a state, so that the client cannot change it. */
export type Seal = (state: string, context: ServerContext) => Promise<string>;

/** What answers with a question of its own first, as the 2026 revision has it (SEP-2322). */
export function fixtureInput(seal: Seal) {
  const ask = async (requests: Record<string, InputRequest>, state: string, context: ServerContext) =>
    inputRequired({ inputRequests: requests, requestState: await seal(state, context) });
  const confirm = tool('Asks, with a state', async (_, context) => {
    const answered = answer(context, 'confirm') && context.mcpReq.requestState() === 'confirmed';
    return answered
      ? text('state-ok')
      : ask({ confirm: form('Please confirm', 'ok', { type: 'boolean' }) }, 'confirmed', context);
  });
  const tools: Record<string, FixtureTool> = {
    test_input_required_result_elicitation: tool('Asks for a name', (_, context) => {
      const name = answer(context, 'user_name')?.name;
      return typeof name === 'string'
        ? text(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: nameForm } });
    }),
    test_streaming_elicitation: tool('Asks for a name', () =>
      inputRequired({ inputRequests: { user_name: nameForm } }),
    ),
    test_input_required_result_sampling: tool('Asks the model', (_, { mcpReq }) => {
      const answered = inputResponse(mcpReq.inputResponses, 'capital_question');
      return answered.kind === 'sampling'
        ? text(JSON.stringify(answered.result.content))
        : inputRequired({
            inputRequests: { capital_question: question('What is the capital of France?', 100) },
          });
    }),
    test_input_required_result_list_roots: tool('Asks for the roots', (_, { mcpReq }) => {
      const answered = inputResponse(mcpReq.inputResponses, 'client_roots');
      return answered.kind === 'roots'
        ? text(JSON.stringify(answered.roots))
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    }),
    test_input_required_result_request_state: confirm,
    test_input_required_result_tampered_state: confirm,
    test_input_required_result_multiple_inputs: tool('Asks for three things', (_, context) => {
      const wanted = {
        user_name: nameForm,
        greeting: question('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      };
      const told = context.mcpReq.inputResponses ?? {};
      return Object.keys(wanted).every((key) => key in told)
        ? text('All three are here.')
        : ask(wanted, 'three', context);
    }),
    test_input_required_result_multi_round: tool('Asks twice', (_, context) => {
      const state = context.mcpReq.requestState();
      if (state === 'second' && answer(context, 'step2')) return text('Both are here.');
      return state === 'first' && answer(context, 'step1')
        ? ask({ step2: form('Step 2: What is your favorite color?', 'color') }, 'second', context)
        : ask({ step1: form('Step 1: What is your name?', 'name') }, 'first', context);
    }),
    test_input_required_result_capabilities: tool('Asks for what the client can', (_, context) =>
      inputRequired({
        inputRequests: {
          ...(clientCan(context, 'sampling') && { greeting: question('Generate a greeting', 50) }),
          ...(clientCan(context, 'elicitation') && { user_name: nameForm }),
        },
      }),
    ),
  };
  return { tools, prompt };
}

function prompt({ mcpReq }: ServerContext): InputRequiredResult | string {
  const context = acceptedContent(mcpReq.inputResponses, 'user_context')?.context;
  return typeof context === 'string'
    ? `Use this context: ${context}`
    : inputRequired({
        inputRequests: { user_context: form('What context should the prompt use?', 'context') },
      });
}

function answer({ mcpReq }: ServerContext, key: string): Record<string, unknown> | undefined {
  return acceptedContent(mcpReq.inputResponses, key);
}

const nameForm = form('What is your name?', 'name');

type Field = { type: 'string' } | { type: 'boolean' };

function form(message: string, key: string, field: Field = { type: 'string' }): InputRequest {
  const requestedSchema = { type: 'object' as const, properties: { [key]: field }, required: [key] };
  return inputRequired.elicit({ message, requestedSchema });
}

function question(words: string, maxTokens: number): InputRequest {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: words } }];
  return inputRequired.createMessage({ messages, maxTokens });
}
