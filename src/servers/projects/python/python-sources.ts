import { basename, dirname, join, relative, sep } from 'node:path';
import { limits } from '../../../core/limits.ts';
import type { ProjectFacts } from '../../definition.ts';
import { InstalledModules } from './python-installed.ts';
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
    if (endings.some((ending) => file.endsWith(ending))) code.push(file);
    if (manifests.some((name) => file.endsWith(name)) && isPackage(root, dirname(file)))
      packages.push(dirname(file));
  }
  if (packages.length === 0 || hasEnvironments(facts)) return [];
  const tree = new PythonTree(root, code);
  const linked = namesOf(links);
  const installed = new InstalledModules(facts);
  const found = [...new Set(packages)].flatMap((folder) => {
    const sources = sourceFolder(tree, root, folder);
    const top = tree.at(partsOf(root, sources));
    if (!top || !isUnmistakable(tree, top, linked) || hasUnlisted(top, facts.list(sources))) return [];
    return [...top.below.values()].some((own) => installed.hides(own, folder)) ? [] : [sources];
  });
  return [...new Set(found)].sort();
}

/** Returns the names of links. What is installed is listed with them, and looked at below. */
function namesOf(links: Iterable<string>): ReadonlySet<string> {
  const own = [...links].filter((link) => !link.includes(`${sep}site-packages${sep}`));
  return new Set(own.map((link) => basename(link).replace(/\.pyi?$/, '')));
}

const endings = ['.py', '.pyi', '.pyw', '.pyx', '.so', '.pyd'] as const;

const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg'].map((name) => `${sep}${name}`);

/** The server finds the sources of the root by itself; a package in tests or examples is none that others import. */
function isPackage(root: string, folder: string): boolean {
  const parts = partsOf(root, folder);
  return parts.length > 0 && parts[0] !== '..' && !parts.some((part) => aside.test(part));
}

const aside =
  /^(?:[._].*|node_modules|venv|env|site-packages|vendor|third_party|build|dist|tests?|testing|fixtures|testdata|docs|examples?|templates?)$/;

/** Environments of a configuration, or of one that it extends, inherit these folders, and there they may lead elsewhere. */
function hasEnvironments({ root, read }: ProjectFacts): boolean {
  return ['pyrightconfig.json', 'pyproject.toml'].some((name) =>
    /executionEnvironments|\bextends["']?\s{0,9}[:=]/.test(read(join(root, name)) ?? ''),
  );
}

/** An ignored module may be meant where another one, ignored too, lies beside the file that imports. */
function hasUnlisted(top: PythonNode, names: readonly string[]): boolean {
  return names.some((name) => name.endsWith('.py') && !top.below.has(name.slice(0, -'.py'.length)));
}

function sourceFolder(tree: PythonTree, root: string, folder: string): string {
  const inner = join(folder, 'src');
  const node = tree.at(partsOf(root, inner));
  return node && !node.isWhole ? inner : folder;
}

/** True if nothing else can be meant by the name of any module in a folder. */
function isUnmistakable(tree: PythonTree, top: PythonNode, linked: ReadonlySet<string>): boolean {
  if (top.isWhole || top.below.size === 0) return false;
  return [...top.below.values()].every(
    (own) => !isBuiltIn(own.name) && !hasLinked(own, linked) && isAlone(tree, top, own),
  );
}

function isBuiltIn(name: string): boolean {
  return standardLibrary.has(name) || name.startsWith('_');
}

/** True if what a link of some name leads to may be meant by a part of the name of a module. */
function hasLinked(own: PythonNode, linked: ReadonlySet<string>): boolean {
  if (linked.size === 0) return false;
  if (linked.has(own.name)) return true;
  return !own.isWhole && [...own.below.values()].some((each) => hasLinked(each, linked));
}

function isAlone(tree: PythonTree, top: PythonNode, own: PythonNode): boolean {
  const alike = tree.named(own.name);
  if (alike.length > limits.projects.pythonNamesakes) return false;
  return alike.every((other) => {
    if (other === own) return true;
    if (isWithin(other, own)) return isPartOf(other, own);
    // A folder that holds this one is no module, but what else is in it may be imported by its name.
    if (isWithin(top, other)) return !other.isWhole && !sharesNames(own, other);
    return !isSame(own, other);
  });
}

/** True if modules of one dotted name can be meant: parts of a package that is spread over several folders have others. */
function isSame(one: PythonNode, other: PythonNode): boolean {
  return one.isWhole || other.isWhole || sharesNames(one, other);
}

function sharesNames(one: PythonNode, other: PythonNode): boolean {
  const [few, many] = one.below.size < other.below.size ? [one, other] : [other, one];
  for (const [name, each] of few.below) {
    const alike = many.below.get(name);
    if (alike && isSame(each, alike)) return true;
  }
  return false;
}

/** True if a module is imported as a part of a package only: scripts in a folder without `__init__` are started there. */
function isPartOf(node: PythonNode, whole: PythonNode): boolean {
  for (let at = node.above; at; at = at.above) {
    if (!at.isWhole) return false;
    if (at === whole) return true;
  }
  return false;
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
