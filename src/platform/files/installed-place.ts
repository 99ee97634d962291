import { homedir } from 'node:os';
import path from 'node:path';
import { secretPaths, toolPaths } from '../sandbox/home-view.ts';
import { isPathWithin } from './path-within.ts';

/** Where software is installed, as data that can be passed to another process. */
export interface InstalledPlaces {
  readonly folders: readonly string[];
  /** The source of a regular expression for paths of packages and parts of toolchains, wherever they are. */
  readonly pattern: string;
  /** Files and folders with credentials, which some of these contain. */
  readonly except: readonly string[];
}

/** Returns where headers, libraries, packages and toolchains are installed. */
export function installedPlaces(home: string = homedir()): InstalledPlaces {
  return {
    folders: [...systemPlaces, ...toolPaths(home), path.join(home, 'go', 'pkg', 'mod')],
    pattern: packageFolder.source,
    except: secretPaths(home),
  };
}

/** True if a real path lies where software is installed. */
export function isInstalledPlace(file: string, home: string = homedir()): boolean {
  const { folders, except } = installedPlaces(home);
  const isIn = (folder: string) => isPathWithin(folder, file);
  return (folders.some(isIn) || packageFolder.test(file)) && !except.some(isIn);
}

const systemPlaces: readonly string[] = [
  ...['/usr/include', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/share', '/usr/local/include'],
  ...['/usr/local/lib', '/usr/local/share', '/usr/local/go', '/lib', '/lib32', '/lib64', '/nix/store'],
  ...['/opt/homebrew', '/opt/local', '/usr/local/Cellar', '/Library/Developer', '/Library/Frameworks'],
  ...['/System/Library', '/Applications', 'C:\\Program Files', 'C:\\Program Files (x86)'],
];

/** Folders of packages, the library of a Python, and the parts of a toolchain below /opt. */
const packageFolder =
  /[\\/](?:node_modules|site-packages|dist-packages|lib(?:64)?[\\/]python\d[\d.]*|Python\d+[\\/]Lib)[\\/]|^\/opt\/.*\/(?:include|lib(?:32|64|exec)?|sysroots?)\//;
