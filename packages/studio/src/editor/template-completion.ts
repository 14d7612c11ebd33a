/** A value that templates can print. */
export interface TemplateVariable {
  /** Its path, such as `payload.orderId`. */
  readonly path: string
  readonly type?: string | undefined
}

/** The variables that fit the text before the caret. */
export interface TemplateCompletion {
  /** The position of the text that a variable replaces. */
  readonly from: number
  readonly options: readonly TemplateVariable[]
  /** What follows the inserted variable: the end of the expression, if it is missing. */
  readonly end: string
}

/** Longer expressions are not completed. */
const maxExpression = 300
/** A list that does not scroll can be read at a glance; typing more shortens it. */
const maxOptions = 10
/** The expression before the caret. Filters follow a pipe, and are not completed. */
const expression = /\{(\{|%)-?([^{}%|]*)$/
const tag = /^\s*\w+\s/
const word = /[\w$.-]*$/

/**
 * Returns the variables that complete the template expression before the caret; `undefined` outside of an expression,
 * or if nothing matches.
 *
 * @param text - The template.
 * @param caret - The position of the caret.
 * @param variables - All variables.
 */
export function findCompletion(
  text: string,
  caret: number,
  variables: readonly TemplateVariable[],
): TemplateCompletion | undefined {
  const match = expression.exec(text.slice(Math.max(0, caret - maxExpression), caret))
  const [, kind = '', inner = ''] = match ?? []
  // There are no variables inside quotes or in the name of a tag.
  if (!match || countQuotes(inner) % 2 === 1 || (kind === '%' && !tag.test(inner))) return undefined
  const typed = word.exec(inner)?.[0] ?? ''
  const options = matching(variables, typed.toLowerCase())
  if (options.length === 0 || (options.length === 1 && options[0]?.path === typed)) return undefined
  const isClosed = kind === '%' || /^[^{}]*\}\}/.test(text.slice(caret, caret + maxExpression))
  return { from: caret - typed.length, options, end: isClosed ? '' : ' }}' }
}

/** Variables that start with the text, otherwise those that contain it. */
function matching(variables: readonly TemplateVariable[], typed: string): readonly TemplateVariable[] {
  const starting = variables.filter(({ path }) => path.toLowerCase().startsWith(typed))
  const matches = starting.length > 0 ? starting : variables.filter(({ path }) => path.toLowerCase().includes(typed))
  return matches.slice(0, maxOptions)
}

function countQuotes(text: string): number {
  return text.split(/["']/).length - 1
}
