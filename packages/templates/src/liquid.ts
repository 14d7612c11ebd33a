export { createLiquid } from './engine/create-liquid.ts'
export { templateFilters } from './engine/template-filters.ts'
