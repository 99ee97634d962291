// What somebody writes who embeds lspan, with nothing but its declarations to go by.
import { type Bridge, createBridge, formatDiagnostics, LspanError, version } from 'lspan';
import * as lsp from 'lspan/lsp';
import * as testing from 'lspan/testing';

// The folder that it runs in: nothing here needs the types of Node.
await using bridge: Bridge = await createBridge({ workspace: '.', readOnly: true });

const { data } = await bridge.call('find_definition', { symbol_name: 'addPrices' });
const [first] = data.definitions;
if (first) console.log(`${first.file_path}:${first.line}:${first.character}`);

const refused = await bridge.call('get_hover', { symbol_name: 'nobody' }).catch((error: unknown) => error);
if (refused instanceof LspanError) console.log(`${refused.code}: ${refused.message} ${refused.nextStep ?? ''}`);

const { diagnostics, complete } = await bridge.diagnostics('src/cart.ts', { text: 'export const a: number = "";\n' });
console.log(formatDiagnostics('src/cart.ts', { 'src/cart.ts': diagnostics }));
console.log(`${version} ${complete} ${Object.keys(lsp).length} ${Object.keys(testing).length}`);

// @ts-expect-error There is no such tool.
const unknownTool = () => bridge.call('find_everything', {});
// @ts-expect-error There is no such argument.
const unknownArgument = () => bridge.call('find_definition', { symbolName: 'addPrices' });
// @ts-expect-error There is no such field in its answer.
const unknownField = async () => (await bridge.call('find_definition', { symbol_name: 'a' })).data.references;
console.log(`${[unknownTool, unknownArgument, unknownField].length} mistakes were seen`);
