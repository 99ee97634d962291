/** The function that everything here is about. */
export const oldName = 'shared_measure';

/** A project of one function and many modules in ten packages that use it, with lines of every kind. */
export interface WideProject {
  readonly files: Readonly<Record<string, Buffer>>;
  /** The file that holds the function. */
  readonly holder: string;
}

/** Makes one up. Every third module has CRLF, every fifth a byte order mark, and all have letters beyond ASCII. */
export function wideProject(language: keyof typeof shapes, modules: number): WideProject {
  const shape = shapes[language];
  const users = Array.from({ length: modules }, (_, index) => {
    const text = shape.user(String(index).padStart(3, '0'));
    const ended = index % 3 === 0 ? text.replaceAll('\n', '\r\n') : text;
    return [shape.path(index), Buffer.from(index % 5 === 0 ? `\uFEFF${ended}` : ended)] as const;
  });
  const settings = Object.entries(shape.settings).map(([name, text]) => [name, Buffer.from(text)] as const);
  return { files: Object.fromEntries([...settings, ...users]), holder: shape.holder };
}

/** The bytes of a file with the function under another name. */
export function renamed(bytes: Buffer, name: string, from = oldName): Buffer {
  return Buffer.from(bytes.toString('utf8').replaceAll(from, name));
}

const shapes = {
  typescript: {
    holder: 'packages/core/src/shared.ts',
    settings: {
      'tsconfig.json':
        '{ "compilerOptions": { "target": "es2022", "lib": ["es2022"], "module": "nodenext", "strict": true, "noEmit": true, "types": [] }, "include": ["packages"] }\n',
      'packages/core/src/shared.ts': `export function ${oldName}(value: number): string {\n  return String(value);\n}\n`,
    },
    path: (index: number) => `packages/part-${index % 10}/src/module-${index}.ts`,
    user: (own: string) => `import { ${oldName} } from '../../core/src/shared.js';

/* Größe 😀 */ export const title${own} = 'Größe 😀'; export const first${own} = ${oldName}(1);
export const both${own} = [/* 東京 */ ${oldName}(2), "𝒳", ${oldName}(3)];`,
  },
  python: {
    holder: 'core/shared.py',
    settings: {
      'pyrightconfig.json': '{ "typeCheckingMode": "standard" }\n',
      'core/__init__.py': '',
      'core/shared.py': `def ${oldName}(value: int) -> str:\n    return str(value)\n`,
    },
    path: (index: number) => `part_${index % 10}/module_${index}.py`,
    user: (own: string) => `from core.shared import ${oldName}

title_${own} = "Größe 😀"; first_${own}: str = ${oldName}(1)
both_${own} = ["東京", ${oldName}(2), "𝒳", ${oldName}(3)]
`,
  },
};
