import { homedir } from 'node:os';
import path from 'node:path';
import { toolPaths } from '../sandbox/home-view.ts';
import { isPathWithin } from './path-within.ts';

/** True if a real path lies where software is installed: headers, libraries, packages and toolchains. */
export function isInstalledPlace(file: string, home: string = homedir()): boolean {
  return (
    systemPlaces.some((folder) => isPathWithin(folder, file)) ||
    packageFolder.test(file) ||
    toolPaths(home).some((folder) => isPathWithin(folder, file)) ||
    isPathWithin(path.join(home, 'go', 'pkg', 'mod'), file)
  );
}

const systemPlaces: readonly string[] = [
  ...['/usr/include', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share', '/usr/local/include'],
  ...['/usr/local/lib', '/usr/local/share', '/usr/local/go', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['/opt/homebrew', '/opt/local', '/usr/local/Cellar', '/Library/Developer', '/Library/Frameworks'],
  ...['/System/Library', '/Applications', 'C:\\Program Files', 'C:\\Program Files (x86)'],
];

/** Folders of packages, and the parts of a toolchain below /opt. */
const packageFolder =
  /[\\/](?:node_modules|site-packages|dist-packages)[\\/]|^\/opt\/.*\/(?:include|lib(?:32|64|exec)?|sysroots?)\//;
