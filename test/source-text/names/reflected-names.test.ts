import { expect, it } from 'vitest';
import { isAskedByName } from '../../../src/source-text/names/reflected-names.ts';

/** Returns whether the word `HERE` of a text is asked for by its name. */
function isAsked(file: string, text: string): boolean {
  const start = text.indexOf('HERE');
  return isAskedByName(file, text, { start, end: start + 4 });
}

it.each([
  ['a.py', 'getattr(shop, "HERE")()', true],
  ['a.py', "setattr(shop.cart(), 'HERE', 1)", true],
  ['a.py', 'monkeypatch.setattr(kernel,\n    "HERE", fake)', true],
  ['a.py', 'with mock.patch.object(Shop, "HERE"):', true],
  ['a.py', 'sorted(all, key=operator.attrgetter("HERE"))', true],
  ['a.py', 'getattr(shop, "HERE_too")', false],
  ['a.py', 'getattr(shop, name, "HERE")', false],
  ['a.py', 'vars(shop)["HERE"]', true],
  ['a.py', "shop.__dict__['HERE']", true],
  ['a.py', 'shop.__dict__.get("HERE", 0)', true],
  ['a.py', 'dataclasses.asdict(shop)["HERE"]', true],
  ['a.py', 'row._asdict()["HERE"]', true],
  ['a.py', '"{0.HERE}".format(shop)', true],
  ['a.py', '"{shop.cart.HERE:>5}".format(shop=shop)', true],
  ['a.py', '"shop.HERE"', false],
  ['a.py', 'settings["HERE"]', false],
  ['a.py', 'globals()["HERE"]', true],
  ['a.py', 'locals().get("HERE")', true],
  ['a.py', 'log("HERE")', false],
  ['a.py', '{"HERE": 1}', false],
  ['a.php', "usort($all, 'Shop\\Cart::HERE')", true],
  ['a.php', "array_map('Shop\\HERE', $all)", true],
  ['a.php', "$routes = ['Cart@HERE']", true],
  ['a.php', "method_exists($cart, 'HERE')", true],
  ['a.php', 'call_user_func("HERE", 1)', true],
  ['a.php', "$a = 'HERE'", false],
  ['a.php', "'Shop::HERE and more'", false],
  ['a.py', 'getattr("HERE", name)', false],
  ['a.go', 'reflect.ValueOf(t).MethodByName("HERE").Call(nil)', true],
  ['a.go', 'fmt.Println("HERE")', false],
  ['a.go', 'template.New("a").Parse("<b>{{.HERE}}</b>")', true],
  ['a.go', '`{{range .Shops}}{{ $shop.Cart.HERE | html }}{{end}}`', true],
  ['a.go', '`{{if and .Open (not .HERE)}}`', true],
  ['a.go', '"see shop.HERE"', false],
  ['a.ts', 'getattr(shop, "HERE")', false],
])('%s: %s', (file, text, expected) => {
  expect(isAsked(file, text)).toBe(expected);
});

it('hostile texts are read in linear time', () => {
  for (const part of [
    '{a.',
    '{{.',
    '{{$a.',
    '{{ ',
    '.__dict__',
    'vars(',
    'getattr(',
    'getattr(a, ',
    '(',
    ' ',
    'a',
    'getattr(a(b),',
  ])
    for (let index = 0; index < 10_000; index += 1) {
      isAsked('a.py', `${part.repeat(200)}"HERE"`);
      isAsked('a.py', `"${part.repeat(200)}.HERE"`);
      isAsked('a.go', `"${part.repeat(200)}.HERE"`);
      isAsked('a.php', `"${part.repeat(140)}HERE"`);
    }
});
