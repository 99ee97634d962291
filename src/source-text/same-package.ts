/** Whether files of a language use what others in the same folder or package declare without naming them. */
export function sharesPackage(file: string): boolean {
  return sharing.test(file);
}

const sharing = /\.(?:go|java|kt|scala|swift|cs)$/;
