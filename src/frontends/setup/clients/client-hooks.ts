import { LspanError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/wording/shell-words.ts';
import { bringHome, ownText } from '../../../platform/files/own-home.ts';
import type { HookEntries } from '../formats/hook-entries.ts';
import type { ClientHooks } from './client.ts';
import { claudePlace, codexPlace, geminiPlace, opencodePlace } from './client-places.ts';

/** The name of the server in the entry of a client, and of its hooks where they have one. */
const name = 'lspan';

/** Claude Code: its hooks call the unlisted tool of the session's own server. */
export const claudeHooks: ClientHooks = {
  user: claudePlace('settings.json'),
  project: '.claude/settings.json',
  asks: 'server',
  content: {
    kind: 'entries',
    entries: () =>
      calling({
        PostToolUse: [
          {
            matcher: 'Edit|Write|MultiEdit|NotebookEdit',
            hooks: [afterEdit({ file_path: '${tool_input.file_path}' })],
          },
          { matcher: 'Bash', hooks: [afterEdit({})] },
        ],
      }),
  },
};

/** Codex: the same, in a file of its own. */
export const codexHooks: ClientHooks = {
  user: codexPlace('hooks.json'),
  project: '.codex/hooks.json',
  asks: 'server',
  content: {
    kind: 'entries',
    entries: () => calling({ PostToolUse: [{ matcher: '.*', hooks: [afterEdit({})] }] }),
  },
  note: 'Codex skips hooks in silence until you trust them: start codex, type /hooks, and trust those of lspan.',
};

/** Gemini CLI: its hooks run commands only, and are in the file that has the entry. */
export const geminiHooks: ClientHooks = {
  user: geminiPlace('settings.json'),
  project: '.gemini/settings.json',
  asks: 'daemon',
  content: {
    kind: 'entries',
    entries: (words, platform) => {
      const own = { type: 'command', command: commandLine(words, platform) };
      const hooks = [{ ...own, name, timeout: 10_000 }];
      return {
        mark: { name },
        own,
        events: {
          SessionStart: [{ hooks }],
          AfterTool: [{ matcher: 'write_file|replace|run_shell_command', hooks }],
        },
      };
    },
  },
};

/** How the text of the plugin begins, by which it is recognised. */
const opencodePluginMark =
  '// The plugin of lspan: adds what an edit broke to the result of the tool that made it.';

/** The plugin of opencode is a file of its own. */
export const opencodeHooks: ClientHooks = {
  user: opencodePlace('plugin/lspan.js'),
  project: '.opencode/plugin/lspan.js',
  asks: 'daemon',
  content: { kind: 'file', text: opencodePlugin, mark: opencodePluginMark },
};

function afterEdit(input: Readonly<Record<string, string>>) {
  return { type: 'mcp_tool', server: name, tool: 'after_edit', input };
}

function calling(events: HookEntries['events']): HookEntries {
  return { mark: { server: name, tool: 'after_edit' }, own: { type: 'mcp_tool' }, events };
}

/** On Windows, Gemini CLI gives the command to PowerShell, which runs a quoted program only after an ampersand. */
function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  if (platform !== 'win32') return words.map(shellWord).join(' ');
  const quoted = words.map((word) => (/^[\w@.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`));
  return `${quoted[0] === words[0] ? '' : '& '}${quoted.join(' ')}`;
}

/** Returns the plugin of opencode that ships with lspan, with the words that it runs after each edit. */
function opencodePlugin([program = '', ...args]: readonly string[]): string {
  const text = ownText('plugins/opencode/lspan.js');
  if (text === undefined)
    throw new LspanError('not_found', `The plugin for opencode is missing in the package of lspan.`, {
      nextStep: bringHome,
    });
  return text
    .replace(/^const program = .*$/m, () => `const program = ${literal(program)};`)
    .replace(/^const args = .*$/m, () => `const args = [${args.map(literal).join(', ')}];`);
}

/** A string of JavaScript, in the quotes of the rest. */
function literal(word: string): string {
  return `'${word.replaceAll(/[\\']/g, '\\$&')}'`;
}
