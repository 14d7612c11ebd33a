/**
 * The content security policy of studio pages. Everything is loaded from the service. Emails are shown in frames
 * without scripts, which inherit this policy: their styles are inline, and their images are loaded from other hosts on
 * request.
 */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https: http:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self' about:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The headers of every page and file of the studio. */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
})
