/**
 * What the suite finds wanting, and why it is meant to be so. No revision requires any of it. One with a surface is about
 * that surface alone.
 */
export const expected = [
  {
    scenario: /^tasks-/,
    why: 'Tasks are an extension that lspan does not offer: its calls answer within the time of a request.',
  },
  {
    scenario: /^http-custom-header-server-validation$/,
    why: 'No tool of lspan has a parameter that is mirrored in a header, so there is nothing to compare.',
  },
  {
    scenario: /^server-sse-polling$/,
    check: /^server-sse-(priming-event|retry-field)$/,
    why: 'Streams are not resumed: an answer belongs to the text on the disk at the time, and is asked for again.',
  },
  {
    surface: 'gateway',
    scenario: /^http-header-validation$/,
    check: /^sep-2243-server-accepts-whitespace-header-value$/,
    why: 'The suite calls a tool without arguments to see a result; by the contract that is an error of the protocol.',
  },
];

/** The scenarios that any server can be put to; the others call what only the fixtures have. */
const general = new Set([
  'caching',
  'dns-rebinding-protection',
  'http-header-validation',
  'ping',
  'prompts-list',
  'resources-list',
  'sep-2164-resource-not-found',
  'server-initialize',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-stateless',
  'tools-list',
]);

/** What asks for prompts and resources, which a surface of tools alone does not have. */
const besideTools =
  /^(prompts-list|resources-list|sep-2164-resource-not-found):|:sep-2549-(prompts|resources)-/;

/**
 * Whether a check is about a surface of lspan, and not about a fixture that it lacks. Every message must fit the
 * schema, in every scenario.
 */
export function concerns(surface, { scenario, id, details }) {
  if (id === 'wire-schema-valid') return true;
  if (surface === 'gateway' && besideTools.test(`${scenario}:${id}`)) return false;
  return general.has(scenario) && details?.untestable !== true;
}
