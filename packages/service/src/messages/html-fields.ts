import type { HtmlPosition } from '@trestle/html/addresses'
import type { StepType } from '@trestle/protocol'

/** The place in which the HTML of each step is displayed. Only these steps have HTML. */
export const htmlPositions: Readonly<Partial<Record<StepType, HtmlPosition>>> = { email: 'email', in_app: 'inApp' }

/** The fields with HTML of a step's outputs, and of its overrides for providers, by the names that providers use. */
const fields: Readonly<Partial<Record<StepType, ReadonlySet<string>>>> = {
  email: new Set([
    ...['body', 'html', 'watchHtml', 'amp', 'amp-html'],
    ...['Html', 'HtmlBody', 'htmlContent', 'HTMLPart', 'html_body', 'html_content'],
  ]),
  in_app: new Set(['body']),
}
const none: ReadonlySet<string> = new Set()

/** Returns the names of the fields with HTML of a step. */
export function htmlFieldsOf(type: StepType): ReadonlySet<string> {
  return fields[type] ?? none
}
