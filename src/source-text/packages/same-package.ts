/** True if files of a language use declarations of others in the same folder or package without naming them. */
export function sharesPackage(file: string): boolean {
  return sharing.test(file);
}

const sharing = /\.(?:go|java|kt|scala|swift|cs)$/;
