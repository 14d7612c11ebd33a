import type { TemplateMail } from './template-mail.ts'

// Two emails that share more markup than this have the same design with different text.
const sameDesign = 0.6
const looks = /\b(?:class|style|width|align|bgcolor)\s*=\s*(?:"[^"]*"|'[^']*')/gi

/**
 * Counts distinct designs of emails: the number of emails of which no two share more than three fifths of their markup.
 * Markup is compared by sequences of three elements with the attributes that affect their appearance. Texts, comments
 * and style sheets do not count.
 */
export function countDesigns(mails: readonly TemplateMail[]): number {
  const kept: ReadonlySet<string>[] = []
  for (const { html } of mails) {
    const markup = toMarkup(html)
    if (!kept.some((other) => shareOf(markup, other) > sameDesign)) kept.push(markup)
  }
  return kept.length
}

function toMarkup(html: string): ReadonlySet<string> {
  const body = html.replace(/<!--[\s\S]*?-->/g, '').replace(/<(style|script|title)\b[\s\S]*?<\/\1>/gi, '')
  const elements = [...body.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/gi)].map(
    ([, name = '', attributes = '']) =>
      `${name} ${(attributes.match(looks) ?? []).map((attribute) => attribute.replace(/\s+/g, '')).toSorted()}`,
  )
  return new Set(elements.map((_element, index) => elements.slice(index, index + 3).join('|')))
}

function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const common = [...left].filter((one) => right.has(one)).length
  return common / (left.size + right.size - common)
}
