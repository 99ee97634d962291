/**
 * True if a file, by its path below a root, is meant for secrets: a search shows no line of it.
 * Ignores letter case and Unicode form, since the disk may not distinguish them.
 */
export function holdsSecrets(inside: string): boolean {
  const names = inside.normalize('NFKC').toLowerCase().split(/[/\\]/).filter(Boolean);
  const name = names.pop() ?? '';
  return names.some((folder) => folders.has(folder)) || files.some((pattern) => pattern.test(name));
}

const folders: ReadonlySet<string> = new Set([
  '.git',
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.gcloud',
  '.kube',
]);

const files: readonly RegExp[] = [
  /^\.env(?!.*\b(?:example|sample|template|d\.ts)$)(?:\..+)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc)$/,
  /^\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd)$/,
  /^(?:credentials|secrets?)\.(?:json|ya?ml|toml)$/,
];
