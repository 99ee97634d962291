import { addPrices, type Price } from './price';

export class Cart {
  private readonly items: Price[] = [];

  add(price: Price): void {
    this.items.push(price);
  }

  total(): Price {
    return this.items.reduce(addPrices, { amount: 0, currency: 'EUR' });
  }
}
