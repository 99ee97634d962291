import type { Doubt } from '../../../core/doubts.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { outdating, settingUp } from '../documents/file-interest.ts';
import { hasOpen } from '../documents/unsaved-documents.ts';
import { notOnDiskDoubts } from './files-not-on-disk.ts';

/** The part of a session that decides which texts the server is sent. */
interface SyncedServer {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly capabilities: { readonly wantsChanges: boolean };
}

/**
 * Doubts that an answer is about the unsaved texts: a server reads some files from disk, whatever it is sent.
 * @param asked The service and, unless the question searches other files too, the file.
 */
export function unsavedFileDoubts(
  { definition, root, capabilities }: SyncedServer,
  workspace: Workspace,
  asked: { readonly service: Service; readonly path?: string | undefined },
): readonly Doubt[] {
  if (workspace.unsaved().size === 0) return [];
  const { diagnostics: { checksFilesAlone = false } = {}, disk } = definition;
  const readsOthers = disk?.imports === 'texts' && !ofOneFile.has(asked.service);
  const [outdates, setsUp] = [outdating(definition), settingUp(definition)];
  const isUnheard = ([path, { text }]: readonly [string, Document]) => {
    const rootOfFile = workspace.rootOf(path);
    if (disk?.referencedTexts?.test(text)) return true;
    if (setsUp(path) && (rootOfFile === root || !checksFilesAlone)) return true;
    if (hasOpen({ definition, root }, rootOfFile, path))
      return !capabilities.wantsChanges || (readsOthers && path !== asked.path);
    // In another root, it reads what its own files use.
    return rootOfFile === root
      ? outdates(path)
      : languageOf(path, definition) !== undefined && !checksFilesAlone;
  };
  const unheard = [...workspace.unsaved()]
    .filter((one) => isUnheard(one) && !workspace.isUnsavedAsOnDisk(one[0]))
    .map(([path]) => path);
  const unseen = unsaved(
    notOnDiskDoubts(definition, workspace, workspace.unsaved(), offering.has(asked.service)),
  );
  return unheard.length === 0 ? unseen : [onDisk(definition, workspace, unheard), ...unseen];
}

/** Services that offer names that the file does not import. */
const offering: ReadonlySet<Service> = new Set(['completions', 'actions']);

/** Services answered from the text of one file, even by servers that read other files from disk. */
const ofOneFile: ReadonlySet<Service> = new Set(['outline', 'diagnostics', 'format']);

/** Makes doubts about unsaved files: only their owner can save them, and they affect a single place too. */
export function unsaved(doubts: readonly Doubt[]): readonly Doubt[] {
  return doubts.map((doubt) => ({ ...doubt, kind: 'unsaved_elsewhere' }));
}

/** Returns the doubt about files that a server reads from disk although they are unsaved. */
export function onDisk(
  { id }: Pick<ServerDefinition, 'id'>,
  workspace: Workspace,
  paths: readonly string[],
): Doubt {
  const names = nameSome(paths.map((path) => quotePath(workspace.show(path))));
  const detail = `${id} reads ${names} from disk, without the unsaved changes.`;
  return { kind: 'unsaved_elsewhere', server: id, detail };
}
