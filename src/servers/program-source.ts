/** Where a server's program is looked for, in this order. */
export type ProgramSource =
  /**
   * A file of an npm package that lspan's installation holds, run by Node or by itself.
   * `name` and `file` may hold `${platform}`, `${arch}` and `${exe}` (`.exe` on Windows, else nothing).
   */
  | {
      readonly kind: 'package';
      readonly name: string;
      readonly file: string;
      readonly run: 'node' | 'native';
      /** The package whose dependency `name` is; lspan's own when absent. */
      readonly via?: string;
      /** It comes with lspan: where it is missing, lspan's package is. */
      readonly ships?: true;
    }
  /**
   * A program in PATH, outside the workspace. One that is `proxy` in the same folder under another name is passed by:
   * it stands for programs that may not be there.
   */
  | { readonly kind: 'path'; readonly name: string; readonly proxy?: string }
  /** A program below the user's home; a folder named `*` is any, the last by name first: `.rustup/toolchains/*`. */
  | { readonly kind: 'home'; readonly folder: string; readonly name: string }
  /** What the user named: a program (a name in PATH, or an absolute path) and arguments that come before `args`. */
  | { readonly kind: 'command'; readonly command: readonly string[] };
