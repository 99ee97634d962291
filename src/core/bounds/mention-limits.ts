/** The limits of what is looked at of places that mention a name, and of what may use it unseen. */
export const mentionLimits = {
  files: 500,
  shown: 10,
  ahead: 200,
  quoted: 200,
  /** So many spans of a file are compared with a place one by one: no order is made for them. */
  compared: 8,
  resolved: 5_000,
  atOnce: 50,
  statement: 4_000,
  /** Characters before a name in which the header of its class begins. */
  header: 1_000,
  attribute: 500,
  list: 100_000,
  /** Characters of an object before one of its members, in which its begin is looked for. */
  object: 20_000,
  reexports: 200,
  otherNames: 20,
  importers: 500,
  modules: 50,
  relatives: 100,
  embeddedImports: 200,
  includers: 200,
  joinedPart: 3,
  /** Words before a string of C that may begin assembler and are tried. */
  assemblers: 3,
  /** Places of a name in one file that are read for what they are, and includes of one that are followed. */
  namings: 1_000,
  includes: 1_000,
  /** Files on the way from one to those that include it, however indirectly. */
  including: 500,
  /** How often a list of exported names may have the same one. */
  sameEntries: 8,
  /** Names of a package of the JVM. */
  packageDepth: 16,
  /** Files of assembler that are read for names of Go. */
  assembler: 1_000,
} as const;
