/** What Node warned of in this process, whose test files share this module. */
export const warnings: string[] = [];

process.on('warning', ({ name, message }) => void warnings.push(`${name}: ${message}`));
