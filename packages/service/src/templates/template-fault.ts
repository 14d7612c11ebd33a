import { toTemplateFault } from '@trestle/templates/liquid'

/** Returns what is wrong with a template, and where. */
export function toFaultText(error: unknown): string {
  const { text, place, hint } = toTemplateFault(error)
  const at = place ? ` (line ${place.row}, column ${place.col})` : ''
  return `${text.slice(0, 500)}${at}${hint ? `. ${hint}` : ''}`
}
