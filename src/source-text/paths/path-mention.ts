/** A place where a text names a file, or may name one. */
export interface PathMention {
  readonly offset: number;
  readonly length: number;
  /** As written: `../lib/cart.js`, `pkg.cart`. */
  readonly path: string;
  /**
   * `quoted` fills a whole string; `path` is part of a text; `include` is of C; `module` is a dotted one of Python;
   * `child` is a `mod` of Rust; `listed` is a word of a list of files, such as that of a build; for an `import` of
   * another language, only a server knows the file.
   */
  readonly form: 'quoted' | 'path' | 'include' | 'module' | 'child' | 'listed' | 'import';
  /** The offset at which to ask a server for the file. */
  readonly ask: number;
  /** Where a `listed` or relative one is looked for: from the folder of its file, or from the roots if it begins with `/`. */
  readonly folders?: readonly string[];
  /**
   * Set if it goes on from a folder that only a run of the program knows, as in `"$here/lib.sh"` and `__DIR__ . '/lib.php'`;
   * `script` if a shell reads it in, so that it may be a bare name.
   */
  readonly isBehind?: 'folder' | 'script';
  /** The module of Python that it names too, or may name: `shop.cart` of `shop.cart:main`. */
  readonly module?: string;
}
