/** Other names that agents give to our fields, as `spelling` writes them. A name counts for those of a tool's own fields that list it. */
export const fieldAliases: Readonly<Record<string, readonly string[]>> = {
  file_path: [
    'path',
    'file',
    'filename',
    'filepaths',
    'uri',
    'fileuri',
    'document',
    'relativepath',
    'absolutepath',
    'location',
    'textdocument',
  ],
  file_paths: ['paths', 'files', 'filenames', 'uris'],
  file: ['filepath', 'path', 'filename', 'uri', 'relativepath', 'absolutepath'],
  uri: ['filepath', 'path', 'file', 'filename', 'fileuri'],
  symbol_name: [
    'symbol',
    'name',
    'identifier',
    'functionname',
    'classname',
    'methodname',
    'oldname',
    'qualifiedname',
    'query',
  ],
  symbol_kind: ['kind', 'type', 'symboltype'],
  query: ['q', 'search', 'searchterm', 'term', 'pattern', 'name', 'symbol', 'symbolname', 'text', 'keyword'],
  line: ['linenumber', 'lineno', 'row', 'startline', 'ln', 'position', 'range', 'start'],
  character: ['column', 'col', 'char', 'columnnumber', 'startcharacter', 'startcolumn', 'position', 'start'],
  end_line: ['range', 'end', 'lineend', 'toline'],
  end_character: ['endcolumn', 'endcol'],
  direction: ['calldirection'],
  depth: ['maxdepth', 'levels'],
  cursor: ['nextcursor', 'pagetoken', 'continuation'],
  include_declaration: ['includedefinition', 'includedeclarations'],
  include: ['parts', 'sections', 'includes'],
  kinds: ['kind', 'only', 'actionkinds'],
  min_severity: ['severity', 'level', 'minlevel', 'minimumseverity'],
  server: ['servername', 'serverid', 'name', 'id'],
  new_name: ['to', 'newsymbolname', 'renameto', 'newsymbol'],
  old_path: ['from', 'oldfilepath', 'oldname', 'source', 'sourcepath', 'filepath', 'path', 'file', 'oldfile'],
  new_path: ['to', 'newfilepath', 'newname', 'destination', 'destinationpath', 'dest', 'target', 'newfile'],
  text: ['code', 'newtext', 'newcode', 'content', 'body', 'replacement', 'newbody'],
  content: ['text', 'contents', 'body', 'filetext', 'code'],
  action: ['operation', 'mode'],
  edits: ['changes', 'replacements'],
  old_text: ['oldstring', 'oldstr', 'old', 'oldcode', 'search', 'find', 'before'],
  new_text: ['newstring', 'newstr', 'new', 'newcode', 'replace', 'replacement', 'after'],
  pageSize: ['limit', 'maxresults', 'count', 'maxitems'],
  operations: ['calls', 'tools', 'requests', 'ops'],
  tool: ['name', 'toolname', 'method'],
  args: ['arguments', 'input', 'params', 'parameters'],
};

/** Names that mean all of the fields that list them, such as the position of a language server. */
export const jointAliases: ReadonlySet<string> = new Set(['position', 'range', 'start']);

/** Fields that let something happen to files. Their names are never guessed. */
export const consentFields: ReadonlySet<string> = new Set([
  'dry_run',
  'plan_id',
  'action_id',
  'edit_id',
  'force',
  'overwrite',
  'recursive',
  'allow_incomplete',
  'allow_protected',
  'also_mentions',
  'check',
]);

/** Names that agents give to these fields, and what they would write here; used in hints only. */
export const consentAliases: ReadonlyMap<string, readonly string[]> = new Map([
  ['apply', ['dry_run: false']],
  ['write', ['dry_run: false']],
  ['commit', ['dry_run: false']],
  ['execute', ['dry_run: false']],
  ['confirm', ['dry_run: false']],
  ['confirmed', ['dry_run: false']],
  ['preview', ['dry_run: true']],
  ['previewonly', ['dry_run: true']],
  ['plan', ['plan_id']],
  ['action', ['action_id']],
  ['edit', ['edit_id']],
  ['id', ['edit_id', 'action_id', 'plan_id']],
]);

/** Names of bounds that an answer does not have: tokens bound it, and a cursor goes on. */
export const boundAliases: ReadonlySet<string> = new Set([
  'limit',
  'maxresults',
  'maxitems',
  'max',
  'top',
  'count',
  'pagesize',
  'offset',
  'page',
]);

/** Other words for the values of our fields, by the value that they mean. */
export const valueAliases: ReadonlyMap<string, string> = new Map([
  ['warn', 'warning'],
  ['warnings', 'warning'],
  ['errors', 'error'],
  ['err', 'error'],
  ['info', 'information'],
  ['hints', 'hint'],
  ['all', 'hint'],
  ['callers', 'incoming'],
  ['in', 'incoming'],
  ['callees', 'outgoing'],
  ['calls', 'outgoing'],
  ['out', 'outgoing'],
  ['parents', 'supertypes'],
  ['super', 'supertypes'],
  ['children', 'subtypes'],
  ['sub', 'subtypes'],
  ['typedefinition', 'type'],
  ['caller', 'callers'],
  ['incomingcalls', 'callers'],
  ['source', 'definition'],
  ['documentation', 'hover'],
  ['docs', 'hover'],
  ['signature', 'hover'],
  ['uses', 'references'],
  ['usages', 'references'],
  ['diagnostics', 'problems'],
]);

/** Makes `filePath`, `file-path` and `file_path` equal. */
export function spelling(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
