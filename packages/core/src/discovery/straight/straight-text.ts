/** What catches errors would see the one that ends a run, and what is awaited beside steps would be done once more. */
const unfit = /\b(?:catch|finally|then|custom|httpRequest)\b|\[native code\]/
const kinds = 'email|sms|push|chat|inApp|tool|digest|delay|throttle'
const someStep = new RegExp(String.raw`\b(?:${kinds})\b`)
const otherAwait = new RegExp(String.raw`\bawait\b(?!\s+[\w$]+(?:\.step)?\.(?:${kinds})\s*\()`)
const innerAsync = /(?!^)\basync\b/
const stepWithText = new RegExp(String.raw`(?:\b(?:${kinds})|[\])])\s*(?:\?\.)?\(\s*(['"${'`'}])(.*?)\1`, 'g')
const callWithText = /\w\s*\(\s*(['"`])(.*?)\1/g
const maxLength = 20_000

/**
 * Returns whether a function may have the same steps whatever its data are, as far as its text shows.
 *
 * @param source - The text.
 */
export function mayBeStraight(source: string): boolean {
  if (source.length > maxLength || unfit.test(source) || !someStep.test(source)) return false
  const other = source.search(otherAwait)
  if (other < 0) return true
  const inner = source.search(innerAsync)
  return inner >= 0 && inner < other
}

/**
 * Returns whether a run has called all steps that a text shows. In doubt it has not.
 *
 * @param source - The text of the function.
 * @param ids - The steps that were called.
 */
export function showsAll(source: string, ids: ReadonlySet<string>): boolean {
  const texts = toTexts(source, stepWithText)
  // Where steps are called by other names any call may be one.
  const called = hasAll(texts, ids) ? texts : toTexts(source, callWithText)
  return hasAll(called, ids) && called.every((text) => ids.has(text) || isMade(text))
}

/** A text without the steps is that of a function which calls another. */
function hasAll(called: readonly string[], ids: ReadonlySet<string>): boolean {
  return called.some(isMade) || [...ids].every((id) => called.includes(id))
}

/** An id that is made of something is no text of its own. */
function isMade(text: string): boolean {
  return text.includes('${')
}

function toTexts(source: string, calls: RegExp): readonly string[] {
  return [...source.matchAll(calls)].map(([, , text = '']) => text)
}
