import type { HtmlPosition } from '../base/html-position.ts'

// A placeholder such as `<%asm_group_unsubscribe_raw_url%>`, which a mail service fills in: no parser treats it as a
// tag.
const noPlaceholder = { '<': /<(?!%\w{1,99}%>)/g, '>': /(?<!<%\w{1,99}%)>/g }

/**
 * Returns a text with tag delimiters escaped, except those of placeholders in an email.
 *
 * @param text - A text, or the value of an attribute.
 */
export function escapeMark(text: string, mark: '<' | '>', position: HtmlPosition): string {
  if (!text.includes(mark)) return text
  const entity = mark === '<' ? '&lt;' : '&gt;'
  return position === 'inApp' || !text.includes('<%')
    ? text.replaceAll(mark, entity)
    : text.replace(noPlaceholder[mark], entity)
}
