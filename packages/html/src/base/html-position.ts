/**
 * Where HTML is shown: a mail has a document of its own, an in-app message lies within the app's page, and what a
 * condition of Office hides is read by its mail client only, which knows no scripts.
 */
export type HtmlPosition = 'email' | 'inApp' | 'office'
