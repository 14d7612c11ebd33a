import type { Place } from './find-translations.ts'

/** What is wrong with a template. */
export interface TemplateFault {
  readonly text: string
  /** `undefined` if the error has no place, such as a limit of all templates. */
  readonly place: Place | undefined
  /** A sentence on how to fix it. */
  readonly hint: string | undefined
}

/**
 * Splits an error of the engine into what is wrong and where.
 *
 * @param error - What parsing or rendering threw.
 * @example
 * toTemplateFault(error) // { text: 'undefined filter: x', place: { row: 1, col: 4 }, hint: undefined }
 */
export function toTemplateFault(error: unknown): TemplateFault {
  if (error instanceof RangeError) return { text: 'it is nested too deeply', place: undefined, hint: undefined }
  const message = error instanceof Error ? error.message : String(error)
  const [, text = message, row, col] = /^(.*?)(?:, file:[^,]*)?, line:(\d+), col:(\d+)$/s.exec(message) ?? []
  const place = row === undefined ? undefined : { row: Number(row), col: Number(col) }
  const hint = text.includes('not closed') ? 'Write literal braces as {% raw %}...{% endraw %}' : undefined
  return { text, place, hint }
}
