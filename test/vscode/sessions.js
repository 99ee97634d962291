// The windows of VS Code that are opened, one after the other: each with a project, settings of the machine, and suites.

/** Settings with which the gateway runs. */
const on = { 'mcpLspGateway.enabled': true, 'mcpLspGateway.port': 0 };

export const sessions = [
  { name: 'cases', suites: ['shared'], files: { 'readme.md': '# Words\n' }, settings: {} },
  { name: 'off', suites: ['gateway'], files: { 'readme.md': '# Off\n' }, settings: {} },
];
void on;
