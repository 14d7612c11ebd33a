/**
 * A parsed template needs about 100 bytes for each character of its outputs and tags, for example 500 for `{{a}}`, but
 * only one or two for each character of other text. With this factor, a full cache of templates needs about 30 MB. It
 * still has space for more than 100 emails of 5,000 characters with 50 variables each.
 */
const markupWeight = 16

/** The characters of `{{` and `}}`. */
const delimiterLength = 4

/** Returns the weight of a parsed template in a cache. */
export function weighTemplate(text: string): number {
  const [, ...parts] = text.split(/\{[{%]/)
  const markupLength = parts.reduce((sum, part) => sum + delimiterLength + findEnd(part), 0)
  return text.length + markupLength * markupWeight
}

/** Returns the last possible end of the markup at the start of a text, because an earlier one can be in quotes. */
function findEnd(text: string): number {
  const end = Math.max(text.lastIndexOf('}}'), text.lastIndexOf('%}'))
  return end === -1 ? text.length : end
}
