// Adds what an edit broke to the result of the tool that made it. Made by scripts/plugins.js.
import { spawn } from 'node:child_process';

const editing = new Set(['write', 'edit', 'multiedit', 'patch', 'apply_patch', 'bash']);

export const Lspan = async ({ directory }) => {
  const tell = (event, session, args = {}) =>
    new Promise((resolve) => {
      const child = spawn('lspan', ['hook', 'opencode'], { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'] });
      let said = '';
      child.stdout.on('data', (data) => {
        said += data;
      });
      child.on('error', () => resolve(''));
      child.on('close', () => resolve(said.trim()));
      child.stdin.on('error', () => {});
      const hook = { session_id: session, cwd: directory, hook_event_name: event, tool_input: args };
      child.stdin.end(JSON.stringify(hook));
    });
  // The daemon begins to watch now; nobody waits for it.
  const begun = tell('SessionStart');
  return {
    'tool.execute.after': async ({ tool, args }, output) => {
      if (!editing.has(tool)) return;
      await begun;
      const said = await tell('PostToolUse', undefined, { file_path: args?.filePath });
      if (said !== '') output.output += `\n\n${said}`;
    },
  };
};
