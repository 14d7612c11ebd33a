// All patterns take linear time.
const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const hostname = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i
const mailbox =
  /^(?:"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*"|[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)$/
const mostMailboxLength = 64
const url = /^(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP]):\/\/[^\s/?#]+(?:[/?#]\S*)?$/u
/** The parts of a URI: scheme, authority, path, query, fragment. */
const uriParts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/
const scheme = /^[a-z][a-z0-9+.-]*$/i
const userInfo = /^(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})*$/i
const uriPath = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*$/i
const uriQuery = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*$/i
const uriHost =
  /^(?:\[(?:v[\da-f]+\.[\w.~!$&'()*+,;=:-]+|([\da-f:.]+))\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i
const name = '(?:\\w|%[\\da-f]{2})+'
const variable = `${name}(?:\\.${name})*(?::[1-9]\\d{0,3}|\\*)?`
const uriTemplate = new RegExp(
  `^(?:[^\\x00-\\x20\\x7f"<>%\\\\^\`{|}]|%[\\da-f]{2}|\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\})*$`,
  'i',
)

/** Returns whether a text is an http, https or ftp URL with a host and without spaces. */
export function isUrl(text: string): boolean {
  return url.test(text)
}

/**
 * Returns whether a text is a URI with a scheme.
 *
 * @source RFC 3986, section 3.
 */
export function isUri(text: string): boolean {
  return isUriReference(text) && uriParts.exec(text)?.[1] !== undefined
}

/**
 * Returns whether a text is a URI or a relative reference.
 *
 * @source RFC 3986, section 4.1 and appendix B.
 */
export function isUriReference(text: string): boolean {
  const [, ownScheme = 'a', authority = '', path = '', query = '', fragment = ''] = uriParts.exec(text) ?? []
  const at = authority.indexOf('@')
  const host = uriHost.exec(authority.slice(at + 1))
  return (
    // In a relative reference, a colon in the first segment would end a scheme.
    !text.startsWith(':') &&
    scheme.test(ownScheme) &&
    userInfo.test(authority.slice(0, Math.max(at, 0))) &&
    host !== null &&
    (host[1] === undefined || isIpv6(host[1])) &&
    uriPath.test(path) &&
    uriQuery.test(query) &&
    uriQuery.test(fragment)
  )
}

/**
 * Returns whether a text is a URI template: `/orders{/id}{?page,size}`.
 *
 * @source RFC 6570, section 2.
 */
export function isUriTemplate(text: string): boolean {
  return uriTemplate.test(text)
}

/**
 * Returns whether a text is an email address.
 *
 * @source RFC 5321, sections 4.1.2, 4.1.3 and 4.5.3.1.
 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const host = text.slice(at + 1)
  if (at < 1 || at > mostMailboxLength || !mailbox.test(text.slice(0, at))) return false
  const [, isV6, address] = /^\[(ipv6:)?(.*)\]$/i.exec(host) ?? []
  if (address !== undefined) return isV6 ? isIpv6(address) : isIpv4(address)
  return isHostname(host)
}

/**
 * Returns whether a text is a host name.
 *
 * @source RFC 1123, section 2.1.
 */
export function isHostname(text: string): boolean {
  return hostname.test(text)
}

/** Returns whether a text is an IPv4 address, without leading zeros. */
export function isIpv4(text: string): boolean {
  return ipv4.test(text)
}

/**
 * Returns whether a text is an IPv6 address.
 *
 * @source RFC 4291, section 2.2.
 */
export function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = text.endsWith('::') ? undefined : groups.at(-1)
  const isMixed = last?.includes('.') ?? false
  const hexGroups = isMixed ? groups.slice(0, -1) : groups
  const count = hexGroups.length + (isMixed ? 2 : 0)
  return (
    (halves.length === 2 ? count < 8 : count === 8) &&
    hexGroups.every((group) => /^[\da-f]{1,4}$/i.test(group)) &&
    (!isMixed || isIpv4(last ?? ''))
  )
}
