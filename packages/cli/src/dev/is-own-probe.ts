const colours = /\u001b\[[0-9;]*m/g
const look = /\bGET\b.*[?&]action=(?:discover|health-check)\b/
const status = /(?:^|[\s"=:])(\d{3})(?=$|[\s",])/

/**
 * Returns whether a line of an app's output only logs a bridge check by `trestle dev`; request logs would otherwise
 * print two lines per second. Failed checks are shown.
 */
export function isOwnProbe(line: string): boolean {
  const text = line.replaceAll(colours, '')
  const match = look.exec(text)
  if (match === null) return false
  const [, statusCode = '200'] = status.exec(text.slice(match.index + match[0].length)) ?? []
  return Number(statusCode) < 400
}
