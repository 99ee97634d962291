import { expect, it } from 'vitest';
import { partsOfHolder, partsOfName, readSymbolPath } from '../../../src/tools/target/symbol-path.ts';

it.each([
  ['run', [], 'run'],
  ['Server.run', ['Server'], 'run'],
  ['Server/run', ['Server'], 'run'],
  ['Server::run', ['Server'], 'run'],
  ['Server#run', ['Server'], 'run'],
  ['a::b.Server.run', ['a', 'b', 'Server'], 'run'],
  ['(*T).Foo', ['T'], 'Foo'],
  ['(T).Foo', ['T'], 'Foo'],
  ['Map<string, a.b>.get', ['Map'], 'get'],
  ['List[T].Add', ['List'], 'Add'],
  ['"a.b".c', ['a.b'], 'c'],
  ['Server.#run', ['Server'], 'run'],
  ['Server.[Symbol.iterator]', ['Server'], '[Symbol.iterator]'],
  ['operator<', [], 'operator<'],
  ['run(int, char)', [], 'run'],
  ['..', [], '..'],
  ['function run', [], 'run'],
  ['export default async function run', [], 'run'],
  ['class Server.run', ['Server'], 'run'],
  ['def run(self)', [], 'run'],
  ['const', [], 'const'],
  ['type of thing', [], 'type of thing'],
  ['server->run', ['server'], 'run'],
  ['server?.run', ['server'], 'run'],
  ['server!.run', ['server'], 'run'],
  ['Server["run"]', ['Server'], 'run'],
  ["Server['run']", ['Server'], 'run'],
  ['Server.prototype.run', ['Server'], 'run'],
  ['operator->', [], 'operator->'],
  ['def run(self)->int', [], 'run'],
  ['new Server', [], 'Server'],
  ['new Server()', [], 'Server'],
  ['await run', [], 'run'],
  ['@Server', [], 'Server'],
  ['run;', [], 'run'],
  ['the class Server', [], 'Server'],
  ['Server class', [], 'Server'],
  ['Server.run method', ['Server'], 'run'],
  ['export class Server<T = unknown> extends Base<T> {', [], 'Server'],
  ['export const isServer = (value: Server | Base): value is Server', [], 'isServer'],
  ['public static void main(String[] args) {', [], 'main'],
  ['interface Server extends Base {', [], 'Server'],
  ['class Server(Base):', [], 'Server'],
  ['async def run(self, n: int) -> int:', [], 'run'],
  ['func (s *Server) Run(ctx context.Context) error {', ['Server'], 'Run'],
  ['let total: number', [], 'total'],
  ['from shop.cart import Cart', ['shop', 'cart'], 'Cart'],
  ["import { Cart } from './cart';", [], 'Cart'],
  ['Getting started', [], 'Getting started'],
  ['describe("a") callback', [], 'describe'],
])('reads the path %s', (given, holders, name) => {
  expect(readSymbolPath(given)).toEqual({ given, holders, name });
});

it('reads which of several declarations is meant, counted from 0', () => {
  expect(readSymbolPath('Server.run[1]')).toMatchObject({ holders: ['Server'], name: 'run', overload: 1 });
  expect(readSymbolPath('items[]')).toEqual({ given: 'items[]', holders: [], name: 'items' });
  expect(readSymbolPath('[0]')).toEqual({ given: '[0]', holders: [], name: '[0]' });
});

it.each([
  ['(*Basket).Add', ['Basket', 'Add']],
  ['Basket.Add', ['Basket', 'Add']],
  ['"total"', ['total']],
  ['int foo(char)', ['foo']],
  ['Box<T>', ['Box']],
  ['impl Display for Cart<T>', ['Cart']],
  ['#secret', ['secret']],
  ['<function>', ['<function>']],
])('splits the name that a server gives to a symbol: %s', (name, parts) => {
  expect(partsOfName(name)).toEqual(parts);
});

it('splits the holder that a server reports, also if it is a module', () => {
  expect(partsOfHolder('example.com/shop/price')).toEqual(['example', 'com', 'shop', 'price']);
  expect(partsOfHolder('"src/cart"')).toEqual(['src', 'cart']);
  expect(partsOfHolder('')).toEqual([]);
});
