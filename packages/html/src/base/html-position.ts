/**
 * Where HTML is displayed. `email`: a separate document. `inApp`: part of the app's page. `office`: the content of a
 * conditional comment, which only Outlook reads and which runs no scripts.
 */
export type HtmlPosition = 'email' | 'inApp' | 'office'
