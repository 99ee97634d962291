import { join, relative, sep } from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { ProjectFacts, ProjectRules } from '../../definition.ts';
import { field } from '../../traits.ts';

/**
 * Finds the files that pyright searches by itself: those in `include`, by default all below the root,
 * except those in `exclude`. https://microsoft.github.io/pyright/#/configuration
 */
export function pythonProject(tool: string): NonNullable<ProjectRules['ofFile']> {
  return (facts) => {
    const { include, exclude } = configuration(facts, tool);
    const includes = include.map(below);
    const excludes = exclude.map(below);
    return (file) => {
      const parts = relative(facts.root, file).split(sep);
      const isOwn = includes.some((holds) => holds(parts)) && !excludes.some((holds) => holds(parts));
      return isOwn ? facts.root : undefined;
    };
  };
}

/** `pyrightconfig.json` takes precedence over a section of `pyproject.toml`. */
function configuration({ root, read }: ProjectFacts, tool: string): Lists {
  const own = read(join(root, 'pyrightconfig.json'));
  const shared = own === undefined ? read(join(root, 'pyproject.toml')) : undefined;
  const section = own === undefined ? field(field(tomlOf(shared ?? ''), 'tool'), tool) : parseJson(own);
  return {
    include: strings(field(section, 'include')) ?? [''],
    exclude: strings(field(section, 'exclude')) ?? ['**/node_modules', '**/__pycache__', '**/.*'],
  };
}

interface Lists {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Ignores a file that cannot be parsed, as the server does. */
function tomlOf(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

/** Matches a path, or a folder above it. Does not backtrack, since the pattern comes from the repository. */
function below(pattern: string): (parts: readonly string[]) => boolean {
  const steps = pattern.split(/[/\\]/).filter((step) => step !== '' && step !== '.');
  return (parts) => {
    let reached = [0];
    for (const step of steps) {
      const [first] = reached;
      if (first === undefined) return false;
      reached =
        step === '**'
          ? Array.from({ length: parts.length - first }, (_, index) => first + index)
          : reached.filter((at) => matches(step, parts[at])).map((at) => at + 1);
    }
    return reached.length > 0;
  };
}

/** `*` matches any characters, `?` one; only the last star is ever retried. */
function matches(step: string, name: string | undefined): boolean {
  if (name === undefined) return false;
  let [at, in_, star, tried] = [0, 0, -1, 0];
  while (in_ < name.length) {
    if (step[at] === '*') [star, tried, at] = [at, in_, at + 1];
    else if (step[at] === '?' || step[at] === name[in_]) [at, in_] = [at + 1, in_ + 1];
    else if (star >= 0) [at, tried, in_] = [star + 1, tried + 1, tried + 1];
    else return false;
  }
  return /^\**$/.test(step.slice(at));
}

function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}
