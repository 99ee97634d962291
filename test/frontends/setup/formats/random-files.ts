import fc from 'fast-check';

/** Takes one of some choices after another, as random numbers say. */
function chooser(numbers: readonly number[]) {
  let at = 0;
  return <T>(choices: readonly [T, ...T[]]): T => {
    const number = numbers[at++ % numbers.length] ?? 0;
    return choices[number % choices.length] ?? choices[0];
  };
}

type Choose = ReturnType<typeof chooser>;

/** Files made by a function of choices, with either line ending, and with or without a last one. */
function files(make: (choose: Choose) => string): fc.Arbitrary<string> {
  const numbers = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 200 });
  return fc.tuple(numbers, fc.boolean(), fc.boolean()).map(([taken, isWindows, isWhole]) => {
    const text = make(chooser(taken));
    const ended = isWhole ? `${text}\n` : text;
    return isWindows ? ended.replaceAll('\n', '\r\n') : ended;
  });
}

/** JSON with comments, trailing commas and blanks in every place. */
export function randomJson(): fc.Arbitrary<string> {
  return files((choose) => {
    const gap = () =>
      choose([
        '',
        ' ',
        '\n',
        '\n\t',
        '\n  ',
        ' // note1\n',
        '/* note2 */',
        '\n// note3 {"\n  ',
        ' /* note4\n */ ',
      ]);
    const value = (depth: number): string => {
      if (depth === 0) return choose(['1', '"a // b"', 'null', '[1, 2]', '{}', '"\\u00e9\\""']);
      return choose([
        () => value(0),
        () => object(['x', 'y', 'lspan'], depth - 1),
        () => `[${gap()}${value(0)}${gap()}]`,
      ])();
    };
    const object = (keys: readonly string[], depth: number): string => {
      const members = keys.flatMap((key) => {
        if (choose([0, 1, 1]) === 0) return [];
        const inner = key === 'mcpServers' ? servers() : value(depth);
        return [`"${key}"${gap()}:${gap()}${inner}${gap()}`];
      });
      const comma = members.length > 0 && choose([true, false]) ? `,${gap()}` : '';
      return `{${gap()}${members.join(`,${gap()}`)}${comma}}`;
    };
    const entry = (): string =>
      `{${gap()}${choose(['', '"env": {},', '"command" : "old", ', '"args":[],'])}${gap()}"z": 1${gap()}}`;
    const servers = (): string => {
      const members = [
        `"other"${gap()}:${gap()}${value(1)}${gap()}`,
        `"lspan":${gap()}${entry()}`,
        `"last":${value(1)}${gap()}`,
      ];
      const chosen = members.filter(() => choose([true, false]));
      return `{${gap()}${chosen.join(`,${gap()}`)}${choose(['', gap()])}}`;
    };
    const nothing = choose(['', '// note\n', 'more', 'more', 'more', 'more']);
    if (nothing !== 'more') return nothing;
    return `${gap()}${object(['a', 'mcpServers', 'b', 'c'], 2)}${gap()}`;
  });
}

/** JSON with hooks of the user in every form, and comments in every place. */
export function randomHooks(): fc.Arbitrary<string> {
  return files((choose) => {
    const gap = () => choose(['', '', ' ', '\n\t', '\n  ', ' // note1\n', '/* note2 */', ' /* note3\n */ ']);
    const many = (open: string, make: readonly (() => string)[], close: string) => {
      const chosen = make.filter(() => choose([true, false])).map((one) => `${gap()}${one()}${gap()}`);
      const comma = chosen.length > 0 && choose([true, false, false]) ? ',' : '';
      return `${open}${chosen.join(',')}${comma}${gap()}${close}`;
    };
    const hook = () => `{"type":${gap()}"command",${gap()}"command": "mine"}`;
    const group = () => `{${gap()}"matcher": "x", "hooks"${gap()}:${many('[', [hook, hook], ']')}}`;
    const event = (name: string) => () =>
      `"${name}"${gap()}:${gap()}${many('[', [group, group, group], ']')}`;
    const hooks = () =>
      `"hooks":${gap()}${many('{', [event('SessionStart'), event('AfterTool'), event('Stop')], '}')}`;
    const wrong = () => choose(['"hooks": []', '"hooks": {"AfterTool": {}}', '"a": 1']);
    const one = choose([hooks, hooks, hooks, hooks, wrong]);
    return `${gap()}${many('{', [() => '"a": [1]', one, () => '"z": null'], '}')}${gap()}`;
  });
}

/** TOML with comments, strings of several lines, lists over lines, and entries in several forms. */
export function randomToml(): fc.Arbitrary<string> {
  return files((choose) => {
    const note = () => choose(['', ' # note1 [x] = "', '\n', '\n# note2\n', '\n\n']);
    const value = () =>
      choose([
        '1',
        '"a # b"',
        "'c:\\d'",
        'true',
        '"""\n[not.a.section]\nx = 1 \\"""\n"""',
        "'''\n# ' ''\n'''",
        '[1, # note3 ]\n 2]',
        '{ a = "}", b = [1] }',
        '9223372036854775807',
        '1979-05-27T07:32:00Z',
        '""',
        '"""a""""',
      ]);
    const pairs = (keys: readonly string[]) =>
      keys
        .flatMap((key) =>
          choose([true, false]) ? [`${key}${choose([' = ', '=', '  =\t'])}${value()}${note()}\n`] : [],
        )
        .join('');
    const section = (name: string, keys: readonly string[]) =>
      choose([true, false]) ? `${choose(['', '  '])}[${name}]${note()}\n${pairs(keys)}` : '';
    const entries = choose([
      () => '',
      () => `[mcp_servers.lspan]${note()}\n${pairs(['command', 'extra', 'args'])}`,
      () =>
        `[ mcp_servers . "lspan" ]\n${pairs(['extra', '"command"'])}[mcp_servers.lspan.env]\n${pairs(['A'])}`,
      () => `[mcp_servers]\nlspan.command = "old"${note()}\nother.command = 1\n`,
      () => `[mcp_servers.lspan.env]\nA = "b"${note()}\n`,
    ]);
    return [
      note(),
      pairs(['model', '"quoted key"', 'a.b']),
      section('tools', ['x', 'y']),
      section('mcp_servers.other', ['command', 'args']),
      entries(),
      section('"mcp_servers.lspan"', ['command']),
      choose(['', '[[list]]\na = 1\n[[list]]\n']),
      section('mcp_servers.last.env', ['A']),
    ].join('');
  });
}

/** YAML whose first levels are block mappings, with everything below them. */
export function randomYaml(): fc.Arbitrary<string> {
  return files((choose) => {
    const note = () => choose(['', '', '# note1: x\n', '\n']);
    const value = (indent: string) =>
      choose([
        ' 1',
        ' "a: b"',
        ' # note2',
        ` |\n${indent}  lspan:\n\n${indent}   cmd: x`,
        ` >-\n${indent}  text # x`,
        `\n${indent}  - a\n${indent}  - b: 1`,
        ' {a: 1, b: [2]}',
        " 'it''s'",
        `\n${indent}  deep:\n${indent}    er: 1`,
        ' &anchor x',
      ]);
    const pair = (key: string, indent: string) => `${indent}${key}:${value(indent)}\n${note()}`;
    const unit = choose(['  ', '    ', ' ']);
    const own = () => {
      const keys = ['command: old', 'args: [a, "b"]', 'enabled: false # note3', 'env: {}', 'x: "1"'];
      const chosen = keys.filter(() => choose([true, false]));
      return `${unit}lspan:\n${[...chosen, 'z: 1'].map((key) => `${unit}${unit}${key}\n`).join('')}`;
    };
    const children = () => {
      const all = [() => pair('other', unit), own, () => pair('last', unit)];
      const chosen = all.filter(() => choose([true, false])).map((make) => make());
      return chosen.length === 0
        ? `extensions: ${choose(['{}', '', 'null', '{} # note4', '# note5'])}\n`
        : `extensions:${choose(['', ' # note6'])}\n${chosen.join('')}`;
    };
    const parts = [() => pair('GOOSE_MODEL', ''), children, () => pair('"b c"', '')];
    const text = `${choose(['', '---\n', '# note7\n'])}${note()}${parts
      .filter(() => choose([true, true, false]))
      .map((make) => make())
      .join('')}`;
    return text.replace(/\n$/, '');
  });
}
