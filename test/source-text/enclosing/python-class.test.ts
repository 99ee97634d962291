import { expect, it } from 'vitest';
import { isAttributeIn, pythonClassAround } from '../../../src/source-text/enclosing/python-class.ts';

const text = `def before(self):
    self.name = 1


class One(
    Base,
):
    """Texts
of a class."""
    name: int = 0

# A comment.
    def method(
        self,
    ) -> None:
        name = 1
        self.name = name
        if name:
            self.name += 1
        other.name = 1

    def name(self): ...


class Two:
    name = 1
`;

it('the lines of a class are those of its body', () => {
  const lines = text.split('\n');
  const at = lines.indexOf('        self.name = name');
  const first = lines.indexOf('class One(');
  const last = lines.indexOf('class Two:') - 1;
  for (const line of [at, lines.indexOf('    name: int = 0')])
    expect(pythonClassAround('a.py', text, line)).toEqual({ first, last, indent: 4 });
  expect(pythonClassAround('a.py', text, 1)).toBeUndefined();
  expect(pythonClassAround('a.ts', text, at)).toBeUndefined();
});

it('an attribute is bound in the body of its class, and through its object in methods', () => {
  const lines = text.split('\n');
  const one = pythonClassAround('a.py', text, lines.indexOf('    name: int = 0'));
  const attributes = lines.filter((line, index) => {
    const column = line.search(/\bname\b/);
    return column >= 0 && one && isAttributeIn(one, index, line.slice(0, column));
  });
  expect(attributes).toEqual([
    '    name: int = 0',
    '        self.name = name',
    '            self.name += 1',
    '    def name(self): ...',
  ]);
});
