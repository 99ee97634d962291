// The plugin of lspan: adds what an edit broke to the result of the tool that made it.
import { spawn } from 'node:child_process';

const program = 'lspan';
const args = ['hook', 'opencode'];
const editing = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch', 'bash']);
// On Windows, only a shell finds a script such as npx.cmd.
const shell = process.platform === 'win32' && !program.endsWith('.exe');

export const Lspan = async ({ directory }) => {
  const tell = (event, session, given = {}) =>
    new Promise((resolve) => {
      const child = spawn(program, args, { cwd: directory, shell, stdio: ['pipe', 'pipe', 'ignore'] });
      let said = '';
      child.stdout.on('data', (data) => {
        said += data;
      });
      child.on('error', () => resolve(''));
      child.on('close', () => resolve(said.trim()));
      child.stdin.on('error', () => {});
      const hook = { session_id: session, cwd: directory, hook_event_name: event, tool_input: given };
      child.stdin.end(JSON.stringify(hook));
    });
  // The daemon begins to watch now; nobody waits for it.
  const begun = tell('SessionStart');
  return {
    'tool.execute.after': async ({ tool, args: input }, output) => {
      if (!editing.has(tool)) return;
      await begun;
      const said = await tell('PostToolUse', undefined, { file_path: input?.filePath });
      if (said !== '') output.output += `\n\n${said}`;
    },
  };
};
