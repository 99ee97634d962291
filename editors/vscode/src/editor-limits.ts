const seconds = 1_000;

/** The limits of the extension. Times are in milliseconds. */
export const editorLimits = {
  /** For VS Code to notice changes of the disk, and the share of a call's time for that. */
  noticing: 5 * seconds,
  noticingShare: 0.5,
  heardFiles: 20_000,
  /** Attempts until two answers of a language that may still be loading are alike, and the pause between them. */
  settling: { attempts: 6, pause: 150 },
  /** After this time a language that has answered nothing is taken to have loaded. */
  warmUp: 20 * seconds,
  /** Files in which a symbol is looked for to try out a provider, and symbols that are tried. */
  probe: { files: 4, symbols: 3 },
  /** Silence of VS Code after which a text that was changed counts as checked. */
  checked: 2 * seconds,
  /** The settings of the gateway: defaults, which are the most, and the least. */
  settings: {
    port: { default: 3939, most: 65_535 },
    items: { most: 200 },
    response: { most: 524_288, least: 1_024 },
    timeout: { most: 2 * seconds, least: 100 },
  },
  tokens: { most: 32, least: 32, length: 512 },
  /** Ports that are tried when the configured one is taken. */
  portsTried: 10,
} as const;
