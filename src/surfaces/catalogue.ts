import type { CatalogueSurface } from './catalogue-fields.ts';
import { surfaces } from './index.ts';
import { renderCatalogue } from './render-catalogue.ts';

/** All surfaces as plain data. The build replaces this module by its value, rendered once. */
export const catalogue: readonly CatalogueSurface[] = renderCatalogue(surfaces);
