// Queries without encoding: no percent sign, no plus, only ASCII, and no leading question mark.
const plain = /^[\w.~=&:@!$'()*,;/-]*$/

/**
 * Returns a reader of query parameters; of several values, the first is used. A query without percent-encoding is
 * searched as text, because parsing costs more than all other checks before the signature.
 *
 * @param text - The query, without its question mark.
 * @returns A function that returns the decoded value of a parameter; `undefined` if it is missing.
 */
export function queryValues(text: string): (name: string) => string | undefined {
  if (plain.test(text)) return (name) => find(text, name)
  const values = new URLSearchParams(text)
  return (name) => values.get(name) ?? undefined
}

function find(text: string, name: string): string | undefined {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length
    const next = text[end]
    if (at > 0 && text[at - 1] !== '&') continue
    if (next === undefined || next === '&') return ''
    if (next !== '=') continue
    const stop = text.indexOf('&', end)
    return text.slice(end + 1, stop === -1 ? undefined : stop)
  }
  return undefined
}
