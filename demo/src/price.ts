export interface Price {
  readonly amount: number;
  readonly currency: string;
}

/** Adds two prices of the same currency. */
export function addPrices(a: Price, b: Price): Price {
  return { amount: a.amount + b.amount, currency: a.currency };
}
