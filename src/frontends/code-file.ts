import { createHash } from 'node:crypto';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import {
  createPrivateFile,
  readPrivateBytes,
  removePrivateFile,
  renamePrivateFile,
  writeAndClose,
} from '../platform/files/private-file.ts';

/** What V8 has compiled of the modules of a program. */
export interface CompiledCode {
  /** The milliseconds of processor time after which it was kept: what was not called by then is not compiled. */
  readonly work: number;
  /** By the names of the modules. */
  readonly modules: ReadonlyMap<string, CompiledModule>;
}

interface CompiledModule {
  /** What tells the file of its text from any other. */
  readonly stamp: string;
  readonly code: Buffer;
}

/**
 * Reads the code that an earlier process of this user has kept. V8 trusts it, so it must be this user's, and whole: throws
 * if it is not.
 */
export function readCodeFile(file: string): CompiledCode {
  const bytes = readPrivateBytes(file, limits.codeCache.largest);
  const [hash, rest] = [bytes.subarray(0, hashLength), bytes.subarray(hashLength)];
  if (!hash.equals(hashOf(rest))) throw new LspanError('internal', `The file ${file} is damaged.`);
  const length = rest.readUInt32LE(0);
  const { work, sizes }: Header = JSON.parse(rest.toString('utf8', 4, 4 + length));
  let at = aligned(hashLength + 4 + length);
  const modules = new Map<string, CompiledModule>();
  for (const [name, size, stamp] of sizes) {
    modules.set(name, { stamp, code: bytes.subarray(at, at + size) });
    at = aligned(at + size);
  }
  return { work, modules };
}

/** Keeps code for later processes: they find all of it, or none. */
export function writeCodeFile(file: string, { work, modules }: CompiledCode): void {
  const sizes = Array.from(modules, ([name, { code, stamp }]) => [name, code.length, stamp] as const);
  const header = Buffer.from(JSON.stringify({ work, sizes } satisfies Header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(header.length);
  const parts: Uint8Array[] = [length, header];
  let at = hashLength + length.length + header.length;
  for (const { code } of modules.values()) {
    parts.push(Buffer.alloc(aligned(at) - at), code);
    at = aligned(at) + code.length;
  }
  if (at > limits.codeCache.largest) return;
  const rest = Buffer.concat(parts);
  const temporary = `${file}.${process.pid}`;
  try {
    writeAndClose(createPrivateFile(temporary), Buffer.concat([hashOf(rest), rest]));
    renamePrivateFile(temporary, file);
  } catch (thrown) {
    removePrivateFile(temporary);
    throw thrown;
  }
}

interface Header {
  readonly work: number;
  readonly sizes: readonly (readonly [name: string, size: number, stamp: string])[];
}

/** A hash comes first. */
const { length: hashLength } = hashOf(Buffer.alloc(0));

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Code that begins elsewhere is copied before it is read. */
function aligned(at: number): number {
  return Math.ceil(at / 8) * 8;
}
