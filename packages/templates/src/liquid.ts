export { createLiquid } from './engine/create-liquid.ts'
export { findTranslations, outputsOf, type Place, type Translations } from './engine/find-translations.ts'
export { type CountOutput, limitOutput } from './engine/limit-output.ts'
export { templateFilters } from './engine/template-filters.ts'
