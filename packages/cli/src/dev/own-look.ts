const colours = /\u001b\[[0-9;]*m/g
const look = /\bGET\b.*[?&]action=(?:discover|health-check)\b/
const status = /(?:^|[\s"=:])(\d{3})(?=$|[\s",])/

/**
 * Returns whether a line of an app's output says no more than that `trestle dev` has looked at its bridge, as request
 * logs of frameworks do twice a second. A look that failed is worth its line.
 */
export function isOwnLook(line: string): boolean {
  const text = line.replaceAll(colours, '')
  const found = look.exec(text)
  if (found === null) return false
  const [, told = '200'] = status.exec(text.slice(found.index + found[0].length)) ?? []
  return Number(told) < 400
}
