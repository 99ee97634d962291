// Every entry of the package by its name. An import does nothing: the process ends by itself.
for (const entry of ['lspan', 'lspan/lsp', 'lspan/testing'])
  console.log(`${entry}: ${Object.keys(await import(entry)).sort().join(', ')}`);
