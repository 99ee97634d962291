// What the bench of indexes needs of the sources, for one bundle.
export { importIndex, symbolKey } from '../src/backends/index/import/import-index.ts';
export { readScip } from '../src/backends/index/scip/read-scip.ts';
export { parseSymbol, symbolName } from '../src/backends/index/scip/scip-symbol.ts';
export { openEmbeddedStore } from '../src/backends/index/store/embedded-store.ts';
export { openPostgresStore } from '../src/backends/index/store/postgres-store.ts';
export { EngineTuner, tuneAtStart } from '../src/frontends/engine-flags.ts';
export { ByteReader } from '../src/platform/large-files/byte-reader.ts';
