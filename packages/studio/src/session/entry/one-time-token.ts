/**
 * The token of the one-time link that opened the page. The token is removed from the URL, so that it does not remain in
 * the browser history.
 */
export const oneTimeToken: string | undefined = takeToken()

function takeToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('link')
  if (token === null) return undefined
  history.replaceState(history.state, '', '/studio/')
  return token
}
