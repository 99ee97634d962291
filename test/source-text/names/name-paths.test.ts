import { expect, it } from 'vitest';
import { handlerFileAt, namePathsIn } from '../../../src/source-text/names/name-paths.ts';

/** Reads the path around the name after the mark. */
function pathAround(file: string, marked: string) {
  const start = marked.indexOf('^');
  const word = { start, end: start + 5 };
  return namePathsIn(file, marked.replace('^', ''), [word]).get(word);
}

it.each([
  ['mock.patch("shop.cart.^total")', ['shop', 'cart'], true],
  ['@patch.object(\n    "cart.^total", 1)', ['cart'], true],
  ["monkeypatch.setattr(r'shop.cart.^total', 1)", ['shop', 'cart'], true],
  ['patch(target="cart.^total")', ['cart'], true],
  ['x = "shop.cart.^total.real"', ['shop', 'cart'], false],
  ['gettext("cart.^total")', ['cart'], false],
  ['dispatch("cart.^total")', ['cart'], false],
  ['f(1, patch, "cart.^total")', ['cart'], false],
])('the path of names in %s', (line, names, isCertain) => {
  expect(pathAround('a.py', line)).toEqual({ names, isCertain });
});

it.each([
  ['uvicorn.run("cart:^total")', ['cart'], 1],
  ['{"console_scripts": ["shop=shop.cart:^total"]}', ['shop', 'cart'], 2],
  ['{"console_scripts": ["shop-run = shop.cart:Cart.^total [extra]"]}', ['shop', 'cart', 'Cart'], 2],
  ['f("cart:^total()")', ['cart'], 1],
])('the module and the path of names in %s', (line, names, depth) => {
  expect(pathAround('setup.py', line)).toEqual({ names, depth, isCertain: true });
});

it.each([
  'x = "^total"',
  'x = "see shop.cart.^total"',
  'x = "a=shop.cart.^total"',
  'x = "shop.cart:^total or"',
  '"""shop\n"shop.cart.^total"\n"""',
  '# "shop.cart.^total"',
  'x = "shop.cart.^total',
])('no path of names in %s', (line) => {
  expect(pathAround('a.py', line)).toBeUndefined();
});

it.each([
  ['pyproject.toml', 'run = "shop.cart:^total"', ['shop', 'cart'], 2],
  ['setup.cfg', '    run = shop.cart:^total\n', ['shop', 'cart'], 2],
  ['Procfile', 'web: gunicorn shop.cart:^total --log-file -', ['shop', 'cart'], 2],
  ['Dockerfile', 'CMD ["uvicorn", "cart:^total"]', ['cart'], 1],
  ['Makefile', 'run:\n\tgunicorn "shop.cart:^total()"\n', ['shop', 'cart'], 2],
  ['compose.yaml', 'command: uvicorn shop.cart:^total --reload', ['shop', 'cart'], 2],
  ['run.sh', 'exec gunicorn shop.cart:^total', ['shop', 'cart'], 2],
])('%s: the entry point in %s', (file, line, names, depth) => {
  expect(pathAround(file, line)).toEqual({ names, depth, isCertain: true });
});

it.each([
  ['a.yaml', 'class: shop.cart.^total\n'],
  ['a.yaml', '  - shop.cart.^total'],
  ['a.json', '{"class": "shop.cart.^total.real"}'],
  ['a.ini', 'class=shop.cart.^total'],
  ['a.toml', 'classes = ["shop.cart.^total", "x"]'],
])('%s: the value in %s', (file, line) => {
  expect(pathAround(file, line)).toEqual({ names: ['shop', 'cart'], isCertain: false });
});

it.each([
  ['a.yaml', '# class: shop.cart.^total\n'],
  ['a.ini', '; x=shop.cart:^total'],
  ['Procfile', 'a: b # shop.cart:^total'],
  ['a.yaml', 'text: see shop.cart.^total'],
  ['a.yaml', 'text: shop.cart.^total or'],
  ['a.yaml', 'image: example/shop:^total'],
  ['a.yaml', 'url: http://shop:^total'],
  ['a.yaml', 'total: ^total'],
  ['a.md', 'shop.cart:^total'],
  ['a.ts', "run('shop.cart:^total')"],
])('%s: no path of names in %s', (file, line) => {
  expect(pathAround(file, line)).toBeUndefined();
});

it('very many names with dots are read in linear time', () => {
  for (const text of ['total.'.repeat(5_000), `"${'total.'.repeat(5_000)}`, 'total:'.repeat(5_000)]) {
    const words = [...text.matchAll(/total/g)].map(({ index }) => ({ start: index, end: index + 5 }));
    for (const file of ['a.py', 'a.toml']) expect(namePathsIn(file, text, words).size).toBeLessThan(100_000);
  }
});

it.each([
  ['a.yml', 'handler: src/cart.^total', 'src/cart'],
  ['a.yml', 'Handler: "cart.^total"', 'cart'],
  ['a.yml', 'handler: ../my-shop/cart.^total # it', '../my-shop/cart'],
  ['a.tf', 'handler = "src/cart.^total"', 'src/cart'],
  ['a.json', '{"Handler": "src/cart.^total"}', 'src/cart'],
])('%s: the handler in %s', (file, line, handled) => {
  expect(pathAround(file, line)?.handler?.file).toBe(handled);
  const at = line.indexOf('cart');
  expect(handlerFileAt(file, line.replace('^', ''), at)?.file).toBe(handled);
});

it.each([
  ['a.yml', 'handlers: src/cart.^total'],
  ['a.yml', 'handler: src/cart.^total.ts'],
  ['a.yml', 'handler: see src/cart.^total'],
  ['a.ts', "handler: 'src/cart.^total'"],
])('%s: no handler in %s', (file, line) => {
  expect(pathAround(file, line)?.handler).toBeUndefined();
});

it('the folder of a handler may be given beside it', () => {
  const text = 'CodeUri: hello/\nHandler: app.run';
  expect(handlerFileAt('template.yaml', text, text.indexOf('app'))).toEqual({
    file: 'app',
    folders: ['', 'hello/'],
  });
});
