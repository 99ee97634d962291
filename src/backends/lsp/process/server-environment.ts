import path from 'node:path';
import { realFile } from '../../../platform/files/real-file.ts';
import { inWorkspace } from './own-program.ts';
import { safePath } from './search-path.ts';

/** Returns the environment of a server: what it needs to find its tools, and none of the user's secrets. */
export function serverEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  roots: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    const passed = value === undefined ? undefined : pass(name, value, roots);
    if (passed !== undefined) kept[name] = passed;
  }
  // Variables from the server's definition or the user's configuration are passed unchanged.
  return { ...kept, ...fixed, ...own };
}

/** Returns the variables that decide what servers do: two clients with the same ones may share a server. */
export function sharedVariables(
  ours: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const passed = Object.entries(serverEnvironment(ours, []));
  return Object.fromEntries(passed.filter(([name]) => !ofOneSession.test(name)));
}

/** Servers get a temporary folder of their own; the others say where a user sits, not what a program does. */
const ofOneSession =
  /^(?:TMPDIR|TEMP|TMP|SHELL|XDG_(?:SESSION_.*|SEAT.*|VTNR|RUNTIME_DIR|CURRENT_DESKTOP|MENU_PREFIX|ACTIVATION_TOKEN|GREETER_.*))$/;

/** Returns the variables by which programs of any system find the temporary folder. */
export function temporaryVariables(folder: string): Readonly<Record<string, string>> {
  return { TMPDIR: folder, TMP: folder, TEMP: folder };
}

/** Returns the variables by which a command that leads elsewhere finds its keys and its other end. */
export function farVariables(
  ours: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(ours).flatMap(([name, value]) =>
      value !== undefined && ofFarCommands.test(name) ? [[name, value]] : [],
    ),
  );
}

const ofFarCommands = /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|DOCKER_.*|CONTAINER_HOST|KUBECONFIG)$/;

/** Servers write to pipes, where colours are noise. Electron acts as Node only when the variable says so. */
const fixed = {
  TERM: 'dumb',
  NO_COLOR: '1',
  ...(process.versions.electron === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' }),
};

/** Passed unchanged. */
const plain: ReadonlySet<string> = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['GOOS', 'GOARCH', 'GOTOOLCHAIN', 'CGO_ENABLED', 'RUSTUP_TOOLCHAIN', 'CONDA_DEFAULT_ENV'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'PROGRAMW6432'],
  ...['NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE', 'OS'],
]);

/** Toolchain folders. Servers run programs from some of them, so none may be in the workspace. */
const folders: ReadonlySet<string> = new Set([
  ...['GOPATH', 'GOROOT', 'GOBIN', 'GOCACHE', 'GOMODCACHE', 'CARGO_HOME', 'RUSTUP_HOME', 'RUST_SRC_PATH'],
  ...['JAVA_HOME', 'JDK_HOME', 'GRADLE_USER_HOME', 'GRADLE_HOME', 'MAVEN_HOME', 'M2_HOME', 'KOTLIN_HOME'],
  ...['VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT', 'DOTNET_ROOT', 'NUGET_PACKAGES', 'ANDROID_HOME'],
  ...['ANDROID_SDK_ROOT', 'GEM_HOME', 'RBENV_ROOT', 'OPAM_SWITCH_PREFIX', 'STACK_ROOT', 'DENO_DIR'],
  ...['ZIG_LIB_DIR', 'MIX_HOME', 'HEX_HOME', 'PUB_CACHE', 'FLUTTER_ROOT', 'NVM_DIR', 'VOLTA_HOME', 'FNM_DIR'],
]);

/** Returns the toolchain folders that an environment names. */
export function toolchainFolders(environment: Readonly<Record<string, string>>): readonly string[] {
  const named = Object.entries(environment).filter(([name]) => folders.has(name));
  return named
    .flatMap(([, value]) => value.split(path.delimiter))
    .filter((folder) => path.isAbsolute(folder));
}

const prefixes: readonly string[] = ['LC_', 'XDG_'];

/** Never passed, even if a prefix matches. */
const secret = /(?:TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/;

function pass(name: string, value: string, roots: readonly string[]): string | undefined {
  // Windows spells PATH as Path.
  const key = process.platform === 'win32' ? name.toUpperCase() : name;
  if (key === 'PATH') return safePath(value, roots);
  if (plain.has(key)) return value;
  if (folders.has(key)) return inWorkspace(realFile(value)?.path ?? value, roots) ? undefined : value;
  return prefixes.some((prefix) => key.startsWith(prefix)) && !secret.test(key) ? value : undefined;
}
