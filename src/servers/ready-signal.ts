/** How a server tells that it has loaded the project. */
export type ReadySignal =
  /** It answers correctly from the first question on. */
  | { readonly kind: 'immediate' }
  /** The end of a `$/progress` whose title matches; or, where it skips that, the first problems that it publishes. */
  | {
      readonly kind: 'progress';
      readonly title: RegExp;
      readonly orPublication?: boolean;
      /** It does one after the other, and may not tell the end of what was followed by the next. */
      readonly inTurn?: true;
      /** It may have nothing to do, and is then ready without a word. */
      readonly orSilence?: true;
      /** It publishes problems before the end that do not count, and all anew afterwards. */
      readonly republishes?: true;
      /** The title of a progress under way that tells what went wrong. */
      readonly trouble?: RegExp;
    }
  /** A `window/logMessage` whose text matches. */
  | { readonly kind: 'log'; readonly message: RegExp }
  /** That it registers for something, as for files to watch, which it does last. */
  | { readonly kind: 'registration' }
  /** A custom notification with a parameter that tells. */
  | {
      readonly kind: 'notification';
      readonly method: string;
      /** Nothing where it speaks of something else. */
      readonly ready: (params: unknown) => boolean | undefined;
      /** What the server says in it that it is doing. */
      readonly doing?: (params: unknown) => string | undefined;
      /** What the server complains of in it, in its own words. */
      readonly trouble?: (params: unknown) => string | undefined;
    }
  /** The answer to a request of its own, asked again after everything that it was told; one that refuses it never tells. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params?: unknown;
      readonly ready: (result: unknown) => boolean;
      /** How often in a row it must say so; once when absent. */
      readonly times?: number;
    }
  /** It never tells: an empty answer is retried, and is doubtful even then. */
  | { readonly kind: 'unknown' };
