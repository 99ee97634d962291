import { Cart } from './cart';
import { receipt } from './receipt';

const cart = new Cart();
cart.add({ amount: 12, currency: 'EUR' });

// The mistake that the demo finds: shipping is a price, not a number.
export const printed: string = receipt(cart, 5);
