import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles the runner into a file of its own, as the product is bundled, so that Node can run it. */
export async function bundleRunner(): Promise<{ readonly file: string; readonly remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-runner-'));
  const file = path.join(folder, 'runner.mjs');
  const input = fileURLToPath(new URL('./fixtures/runner.js', import.meta.url));
  const bundle = await rolldown({ input, platform: 'node', external: /^node:/ });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
