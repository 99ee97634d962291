import { existsSync } from 'node:fs';
import path from 'node:path';
import { isPathWithin } from '../files/path-within.ts';
import { realFile } from '../files/real-file.ts';
import type { Command } from '../processes/process-tree.ts';
import { secretPaths, toolPaths } from './home-view.ts';
import type { Sandbox, SandboxRules } from './sandbox.ts';

const program = '/usr/bin/sandbox-exec';

/** Returns the sandbox of macOS. It is written from Apple's own profiles, and was never run. */
export function openSeatbelt(): Sandbox | string {
  if (!existsSync(program)) return 'sandbox-exec is missing';
  return {
    ownProcessNumbers: false,
    signalsAsCodes: false,
    confine: (command, rules) => confine(command, rules),
    fault: async () => undefined,
  };
}

function confine(command: Command, rules: SandboxRules): Command {
  return { ...command, file: program, args: ['-p', seatbeltProfile(rules), command.file, ...command.args] };
}

/** Returns the rules in the language of seatbelt, in which the last rule that matches decides. */
export function seatbeltProfile({ home, reads, writes, hides, scratch }: SandboxRules): string {
  const real = realFile(home)?.path ?? home;
  // Never the home itself or what contains it, which would bring everything back.
  const visible = [...toolPaths(real), ...reads].filter((each) => !isPathWithin(each, real));
  const writable = [...writes, scratch];
  return [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    `(allow network* ${paths('local unix-socket', writable)} ${paths('remote unix-socket', writable)})`,
    // Passwords, and starting programs outside of the sandbox.
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    '(deny mach-lookup (global-name-prefix "com.apple.coreservices.launchservices"))',
    '(deny appleevent-send)',
    '(deny file-write*)',
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") ${paths(undefined, writable)})`,
    `(deny file-read-data (regex ${dotted(real)}) (subpath ${quoted(path.join(real, 'Library'))}))`,
    `(allow file-read-data ${paths(undefined, [...visible, ...writable])})`,
    `(deny file-read-data ${paths(undefined, [...secretPaths(real), ...hides])})`,
  ].join('\n');
}

function paths(filter: string | undefined, folders: readonly string[]): string {
  const each = folders.map((folder) => `(subpath ${quoted(folder)})`);
  return (filter === undefined ? each : each.map((one) => `(${filter} ${one})`)).join(' ');
}

/** Matches every path below a name with a leading dot in a folder. */
function dotted(folder: string): string {
  return `#"^${folder.replace(/[.*+?^$()[\]{}|\\"]/g, '\\$&')}/\\."`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
