/**
 * The place of HTML. `email`: its own document. `inApp`: a part of the app's page. `office`: the content of a conditional
 * comment, which only Outlook reads; it runs no scripts.
 */
export type HtmlPosition = 'email' | 'inApp' | 'office'
