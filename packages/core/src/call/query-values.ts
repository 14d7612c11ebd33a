// What stands for itself in a query: no percent sign, no plus, nothing beyond ASCII, and no question mark in front.
const plain = /^[\w.~=&:@!$'()*,;/-]*$/

/**
 * Returns a reader of a query's parameters, by which the first of several values counts. Where no character is encoded
 * the text itself is searched: taking a query apart costs more than all other checks of a call before its signature.
 *
 * @param text - The query, without its question mark.
 * @returns Returns the value of a parameter, decoded; `undefined` where it is missing.
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
