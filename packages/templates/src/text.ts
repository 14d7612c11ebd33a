export { isJson, toDataText, toText } from './text/template-value.ts'
export { textFilters } from './text/text-filters.ts'
export { sizeOf } from './text/value-size.ts'
