import type { Cart } from './cart';
import { addPrices, type Price } from './price';

export function receipt(cart: Cart, shipping: Price): string {
  const due = addPrices(cart.total(), shipping);
  return `${due.amount} ${due.currency}`;
}
