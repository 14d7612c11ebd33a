import type { HtmlPosition } from '../base/html-position.ts'

// `<%asm_group_unsubscribe_raw_url%>`, as a mail service fills in: no reader takes it for a tag.
const noPlaceholder = { '<': /<(?!%\w{1,99}%>)/g, '>': /(?<!<%\w{1,99}%)>/g }

/**
 * Returns a text without the marks of tags; in a mail those of placeholders stay.
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
