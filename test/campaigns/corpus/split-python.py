"""Splits the modules of one package into packages of their own, each in a folder `packages/X/src`, which import each
other by absolute names. Nothing is installed, so no name leads anywhere unless the folders are put on the path."""

import ast
import pathlib
import shutil
import sys

made, name = pathlib.Path(sys.argv[1]), sys.argv[2]
source = made / "src" / name
modules = {}
for file in sorted(source.rglob("*.py")):
    parts = list(file.relative_to(source).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    modules[".".join([name, *parts])] = file


def group_of(module):
    """The package of a module: one for each module or folder below the top."""
    parts = module.split(".")
    return f"{name}_{parts[1]}".replace("__", "_") if len(parts) > 1 else f"{name}_main"


def new_name(module):
    parts = module.split(".")
    return ".".join([group_of(module), *parts[2:]])


def absolute(node, module, is_package):
    if node.level == 0:
        return node.module
    parts = module.split(".")
    base = parts if is_package else parts[:-1]
    base = base[: len(base) - (node.level - 1)]
    return ".".join([*base, *([node.module] if node.module else [])])


def aliased(alias):
    return f" as {alias.asname}" if alias.asname else ""


def rewritten(file, module):
    text = file.read_text()
    lines = text.split("\n")
    is_package = file.name == "__init__.py"
    for node in sorted(ast.walk(ast.parse(text)), key=lambda one: -getattr(one, "lineno", 0)):
        if not isinstance(node, ast.ImportFrom):
            continue
        target = absolute(node, module, is_package)
        if target is None or target.split(".")[0] != name or lines[node.lineno - 1][: node.col_offset].strip():
            continue
        statements = []
        for alias in node.names:
            inner = f"{target}.{alias.name}"
            if inner in modules:
                whole = new_name(inner)
                package, _, last = whole.rpartition(".")
                shown = alias.asname or alias.name
                statements.append(f"from {package} import {last} as {shown}" if package else f"import {whole} as {shown}")
            else:
                statements.append(f"from {new_name(target)} import {alias.name}{aliased(alias)}")
        indent = " " * node.col_offset
        lines[node.lineno - 1 : node.end_lineno] = [indent + one for one in statements]
    return "\n".join(lines)


for module, file in modules.items():
    group = group_of(module)
    rest = module.split(".")[2:]
    folder = made / "packages" / group / "src" / group
    target = folder.joinpath(*rest, "__init__.py") if file.name == "__init__.py" or not rest else folder.joinpath(*rest).with_suffix(".py")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(rewritten(file, module))
    (made / "packages" / group / "pyproject.toml").write_text(f'[project]\nname = "{group}"\nversion = "1"\n')
shutil.rmtree(made / "src")
