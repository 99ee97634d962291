import { basename, dirname, join, relative, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { ProjectFacts } from '../../definition.ts';
import { isWithin, type PythonNode, PythonTree } from './python-tree.ts';

/**
 * Returns the folders from which the packages of a workspace are imported, so that one finds the sources of another where
 * nothing is installed. The server asks them before the folder of the file that imports, and for every file alike. So a
 * folder counts only if nothing else in the workspace, nor the standard library, can be meant by the names in it.
 */
export function pythonSources(facts: ProjectFacts): readonly string[] {
  const { generation } = facts.listing();
  const folders = findSources(facts);
  given.set(facts, { generation, folders: folders.join('\n') });
  return folders;
}

/** Returns whether other folders would be given to a server now: files have come or gone. */
export function haveSourcesChanged(facts: ProjectFacts): boolean {
  const before = given.get(facts);
  const { generation } = facts.listing();
  if (before === undefined || before.generation === generation) return false;
  const { folders } = before;
  if (findSources(facts).join('\n') !== folders) return true;
  given.set(facts, { generation, folders });
  return false;
}

/** What was given to the servers that run. */
const given = new WeakMap<ProjectFacts, { readonly generation: number; readonly folders: string }>();

function findSources(facts: ProjectFacts): readonly string[] {
  const { root, isElsewhere } = facts;
  const { files, links, isWhole } = facts.listing();
  if (isElsewhere || !isWhole) return [];
  const code: string[] = [];
  const packages: string[] = [];
  for (const file of files) {
    if (/\.pyi?$/.test(file)) code.push(file);
    if (manifest.test(file) && isPackage(root, dirname(file))) packages.push(dirname(file));
  }
  if (packages.length === 0 || hasEnvironments(facts)) return [];
  const tree = new PythonTree(root, code);
  const linked = new Set([...links].map((link) => basename(link).replace(/\.pyi?$/, '')));
  return [...new Set(packages.map((folder) => sourceFolder(tree, root, folder)))]
    .filter((folder) => isUnmistakable(tree, partsOf(root, folder), linked))
    .sort();
}

const manifest = /[\\/](?:pyproject\.toml|setup\.(?:py|cfg))$/;

/** The server finds the sources of the root by itself; a package in tests or examples is none that others import. */
function isPackage(root: string, folder: string): boolean {
  const parts = partsOf(root, folder);
  return parts.length > 0 && parts[0] !== '..' && !parts.some((part) => aside.test(part));
}

const aside =
  /^(?:[._].*|node_modules|venv|env|site-packages|vendor|third_party|build|dist|tests?|testing|fixtures|testdata|docs|examples?|templates?)$/;

/** Environments of a configuration inherit these folders, and there they may lead elsewhere. */
function hasEnvironments({ root, read }: ProjectFacts): boolean {
  return ['pyrightconfig.json', 'pyproject.toml'].some((name) =>
    read(join(root, name))?.includes('executionEnvironments'),
  );
}

function sourceFolder(tree: PythonTree, root: string, folder: string): string {
  const inner = join(folder, 'src');
  const node = tree.at(partsOf(root, inner));
  return node && !node.isWhole ? inner : folder;
}

/** True if each module in a folder is the only one of its name. */
function isUnmistakable(tree: PythonTree, folder: readonly string[], linked: ReadonlySet<string>): boolean {
  const top = tree.at(folder);
  const names = top && modulesBelow(top);
  if (!top || top.isWhole || !names || names.length === 0) return false;
  return names.every((name) => !name.some((part) => linked.has(part)) && isAlone(tree, top, name));
}

function isAlone(tree: PythonTree, top: PythonNode, name: readonly string[]): boolean {
  if (standardLibrary.has(name[0] ?? '') || name[0]?.startsWith('_')) return false;
  return name.every((_, index) => {
    const part = name.slice(0, index + 1);
    const own = part.reduce<PythonNode | undefined>((node, each) => node?.below.get(each), top);
    return tree.meantBy(part).every((node) => {
      if (own && isWithin(node, own)) return true;
      // A folder that holds this one, or another part of a package that is spread over several folders.
      return !node.isWhole && (isWithin(top, node) || index < name.length - 1);
    });
  });
}

/** Returns the full names of the modules and packages in a folder; `undefined` if there are too many. */
function modulesBelow(top: PythonNode): readonly (readonly string[])[] | undefined {
  const found: (readonly string[])[] = [];
  const walk = (node: PythonNode, names: readonly string[]): void => {
    if (found.length > limits.projects.pythonModules) return;
    for (const each of node.below.values()) {
      const name = [...names, each.name];
      if (each.isWhole) found.push(name);
      else walk(each, name);
    }
  };
  walk(top, []);
  return found.length > limits.projects.pythonModules ? undefined : found;
}

function partsOf(root: string, folder: string): readonly string[] {
  const inside = relative(root, folder);
  return inside === '' ? [] : inside.split(sep);
}

/** The modules that a version of Python brings along, by their first names. */
const standardLibrary: ReadonlySet<string> = new Set(
  `abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop
base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code
codecs codeop collections colorsys compileall compression concurrent configparser contextlib
contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
distutils doctest dummy_threading email encodings ensurepip enum errno faulthandler fcntl filecmp
fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob
graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io
ipaddress itertools json keyword lib2to3 linecache locale logging lzma macpath macurl2path mailbox
mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt
ntpath nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle
pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile profiling pstats
pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource
rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib
sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics
string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile
telnetlib tempfile termios test textwrap this threading time timeit tkinter token tokenize tomllib
trace traceback tracemalloc tty turtle turtledemo types typing typing_extensions unicodedata
unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml
xmlrpc xxlimited zipapp zipfile zipimport zlib zoneinfo`.split(/\s/),
);
