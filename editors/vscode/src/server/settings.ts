import { statSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import { editorLimits } from '../editor-limits.ts';

/** The section of the settings. */
export const section = 'mcpLspGateway';

/** The settings of the gateway, checked. */
export interface GatewaySettings {
  readonly enabled: boolean;
  readonly host: '127.0.0.1';
  readonly port: number;
  readonly path: string;
  readonly origins: readonly string[];
  readonly additionalRoots: readonly string[];
  readonly sessions: boolean;
  readonly items: number;
  readonly responseBytes: number;
  /** Milliseconds of a call. */
  readonly timeout: number;
  readonly debug: boolean;
  readonly secretKey: string;
  readonly surface: 'gateway' | 'lspan';
}

/** Reads the settings of the user and the machine. Throws if one cannot be obeyed: nothing is served then. */
export function readSettings(): GatewaySettings {
  const { items, response, timeout, port } = editorLimits.settings;
  return {
    enabled: read('enabled', isBoolean, false),
    host: oneOf('bindAddress', ['127.0.0.1']),
    port: whole('port', 0, port.most, port.default),
    path: oneOf('endpointPath', ['/mcp']),
    origins: read('allowedOrigins', isTexts, []),
    additionalRoots: read('additionalAllowedRoots', isTexts, []).map(checkRoot),
    sessions: read('enableSessions', isBoolean, true),
    items: capped('maxItemsPerPage', 1, items.most),
    responseBytes: capped('maxResponseBytes', response.least, response.most),
    timeout: capped('requestTimeoutMs', timeout.least, timeout.most),
    debug: read('debugLogging', isBoolean, false),
    secretKey: read('secretStorageKey', isName, `${section}.authTokens`),
    surface: oneOf('surface', ['gateway', 'lspan']),
  };
}

/** A workspace must not decide here: its values are not read, even if VS Code offered them. */
function read<T>(
  key: string,
  is: (value: unknown) => value is T,
  otherwise: T,
  fault = 'has a value of another kind than its description says',
): T {
  const found = vscode.workspace.getConfiguration(section).inspect<unknown>(key);
  const value = found?.globalValue ?? found?.defaultValue ?? otherwise;
  if (is(value)) return value;
  throw wrong(key, fault);
}

function oneOf<const T extends string>(key: string, allowed: readonly [T, ...T[]]): T {
  const is = (value: unknown): value is T => allowed.some((one) => one === value);
  return read(key, is, allowed[0], `can only be ${allowed.join(' or ')}`);
}

function whole(key: string, least: number, most: number, otherwise: number): number {
  const value = read(key, isNumber, otherwise);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong(key, `must be a whole number from ${least} to ${most}`);
}

/** A value above the most is the most; the default is the most too. */
function capped(key: string, least: number, most: number): number {
  return Math.min(whole(key, least, Number.MAX_SAFE_INTEGER, most), most);
}

function checkRoot(folder: string): string {
  if (path.isAbsolute(folder) && statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw wrong(
    'additionalAllowedRoots',
    'must list absolute paths of folders that exist where the extension runs',
  );
}

function wrong(key: string, why: string): LspanError {
  return new LspanError('invalid_input', `The setting ${section}.${key} ${why}.`, {
    nextStep: 'Correct the setting.',
  });
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
