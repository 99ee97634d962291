/**
 * True if a file, by its path below a root, is meant for secrets: a search shows no line of it.
 * Ignores letter case and Unicode form, since the disk may not distinguish them.
 */
export function holdsSecrets(inside: string): boolean {
  const lower = (isAscii.test(inside) ? inside : inside.normalize('NFKC')).toLowerCase();
  // Nearly every path has nothing hidden: then only its name matters.
  const names = hidden.test(lower) ? lower.split(/[/\\]/).filter(Boolean) : [nameOf(lower)];
  const name = names.pop() ?? '';
  return names.some((folder) => folders.has(folder)) || files.some((pattern) => pattern.test(name));
}

const isAscii = /^[\x00-\x7f]*$/;
/** Something hidden, as every folder of secrets is, or a separator at the end. */
const hidden = /(?:^|[/\\])\.|[/\\]$/;

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Each is hidden: a path without anything hidden is not searched for them. */
const hiddenFolders: readonly `.${string}`[] = [
  '.git',
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
];
const folders: ReadonlySet<string> = new Set(hiddenFolders);

const files: readonly RegExp[] = [
  /^\.env(?!.*\b(?:example|sample|template|d\.ts)$)(?:\..+)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc)$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd)$/,
  /^(?:credentials|secrets?)\.(?:json|ya?ml|toml)$/,
];
