// Bundles the process with an engine of its own, as the product's build does: `node test/edits/build-child.js FOLDER`.
import path from 'node:path';
import { bundleLibrary } from '../../scripts/bundle.js';

const [, , dir] = process.argv;
await bundleLibrary([path.join(import.meta.dirname, 'engine-child.ts')], dir);
