import { type FileSystem, type NewFile, realFileSystem } from '../../src/edits/disk/file-system.ts';

/** What happens at an operation: it fails with a code, once or from then on, or the process ends there. */
export type Fault =
  | { readonly at: number; readonly code: string; readonly forever?: boolean }
  | { readonly at: number; readonly kill: true };

/** A file system that counts its operations, and in which one of them goes wrong. */
export interface CountedFiles {
  readonly files: FileSystem;
  readonly names: readonly string[];
  /** Ends when the process is as good as dead: nothing of it is under way any more. */
  readonly killed: Promise<void>;
}

/** Thrown where a call cannot wait forever; nothing that catches it can reach the disk any more. */
class Killed extends Error {}

/** Counts operations from 1; syncing is only counted, since nothing here loses power. */
export function countedFiles(
  fault?: Fault,
  { hasLinks = true, before }: { hasLinks?: boolean; before?: (name: string, at: number) => void } = {},
): CountedFiles {
  const real = realFileSystem;
  const names: string[] = [];
  let underWay = 0;
  let isDead = false;
  let tellKilled = () => {};
  const killed = new Promise<void>((resolve) => {
    tellKilled = resolve;
  });
  const descriptors = new Set<number>();
  const handles = new Set<NewFile>();
  const settle = async () => {
    if (!isDead || underWay > 0) return;
    // As the system does it for a process that ended.
    for (const descriptor of descriptors) real.close(descriptor);
    descriptors.clear();
    for (const handle of handles) await handle.close();
    handles.clear();
    tellKilled();
  };

  const meet = (name: string): 'go' | 'die' => {
    if (isDead) return 'die';
    names.push(name);
    before?.(name, names.length);
    if (fault && 'kill' in fault && names.length === fault.at) {
      isDead = true;
      // A turn later, so that who was called meanwhile has been counted.
      setImmediate(settle);
      return 'die';
    }
    if (fault && 'code' in fault) {
      const isDue = fault.forever ? names.length >= fault.at : names.length === fault.at;
      if (isDue) throw failure(name, fault.code);
    }
    return 'go';
  };

  const sync =
    <A extends unknown[], R>(name: string, call: (...given: A) => R) =>
    (...given: A): R => {
      if (meet(name) === 'die') throw new Killed(name);
      return call(...given);
    };

  const slow =
    <A extends unknown[], R>(name: string, call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (meet(name) === 'die') return new Promise<R>(() => {});
      underWay++;
      return call(...given).finally(() => {
        underWay--;
        setImmediate(settle);
      });
    };

  const counted = (file: NewFile): NewFile => {
    handles.add(file);
    return {
      owner: slow('owner', () => file.owner()),
      write: slow('write', (bytes) => file.write(bytes)),
      chown: slow('chown', (owner, group) => file.chown(owner, group)),
      chmod: slow('chmod', (mode) => file.chmod(mode)),
      sync: slow('sync', async () => {}),
      async close() {
        if (isDead) return new Promise(() => {});
        handles.delete(file);
        await file.close();
      },
    };
  };

  const files: FileSystem = {
    look: sync('look', real.look),
    read: sync('read', real.read),
    readPart: sync('readPart', real.readPart),
    readLink: sync('readLink', real.readLink),
    list: sync('list', real.list),
    mayWrite: sync('mayWrite', real.mayWrite),
    room: sync('room', real.room),
    realPath: sync('realPath', real.realPath),
    openFolder: sync('openFolder', (folder) => {
      const descriptor = real.openFolder(folder);
      descriptors.add(descriptor);
      return descriptor;
    }),
    placeOf: sync('placeOf', real.placeOf),
    close(descriptor) {
      if (isDead) return;
      descriptors.delete(descriptor);
      real.close(descriptor);
    },
    link: sync('link', (from, to) => {
      if (!hasLinks && to.startsWith('/proc/self/fd/')) throw failure('link', 'EPERM');
      real.link(from, to);
    }),
    rename: sync('rename', real.rename),
    unlink: sync('unlink', real.unlink),
    unlinkAsync: real.unlinkAsync,
    makeLink: sync('makeLink', real.makeLink),
    makeFolder: sync('makeFolder', real.makeFolder),
    removeFolder: sync('removeFolder', real.removeFolder),
    setMode: slow('setMode', real.setMode),
    create: slow('create', async (place) => counted(await real.create(place))),
    syncFolder: slow('syncFolder', async () => {}),
  };
  return { files, names, killed };
}

function failure(name: string, code: string): Error {
  return Object.assign(new Error(`${code}: made up, ${name}`), { code, syscall: name });
}
