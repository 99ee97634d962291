import { expect, it } from 'vitest';
import { openTestBridge } from '../../test-bridge.ts';

/** A bridge whose server knows of no use of what is declared in the first line of a file but itself. */
function open(extension: string, files: Readonly<Record<string, string>>) {
  const [first = ''] = Object.keys(files);
  const own = {
    uri: `file://<root>/${first}`,
    range: { start: { line: 0, character: 9 }, end: { line: 0, character: 14 } },
  };
  const rules = [{ on: { method: 'textDocument/references' }, do: [{ replyValue: [own] }] }];
  return openTestBridge({ files, servers: { only: { extensions: [extension], lives: [{ rules }] } } });
}

it('code for the same machine that imports a package of the workspace may use what is in it', async () => {
  const bridge = await open('java', {
    'src/shop/cart/Cart.java': 'function alpha\n',
    'src/Page.kt': 'import shop.cart.Cart\nval a = alpha()\n',
    'src/shop/cart/Near.groovy': 'package shop.cart\nalpha()\n',
    'web/page.jsp': '<%@ page import="shop.cart.Cart" %>\n<%= alpha() %>\n',
    'src/Other.kt': 'import java.util.List\nval a = alpha()\n',
    'notes.txt': 'import shop.cart.Cart\nalpha\n',
  });
  const question = { file_path: 'src/shop/cart/Cart.java', line: 1, character: 10 };
  const { data } = await bridge.call('find_references', question);
  expect(data).toMatchObject({ complete: false, mention_counts: { unverified: 3, other_language: 2 } });
});

it('a template of Ruby may use what its code names', async () => {
  const bridge = await open('rb', {
    'cart.rb': 'function alpha\n',
    'page.erb': '<p><%= cart.alpha %></p>\n',
    'other.erb': '<p>alpha <%= cart %></p>\n',
  });
  const { data } = await bridge.call('find_references', { file_path: 'cart.rb', line: 1, character: 10 });
  expect(data).toMatchObject({ complete: false, mention_counts: { unverified: 1, other_language: 1 } });
});
