import type { Redirect } from '../../wire/resources.ts'

/** Returns a URL that is safe to open, or undefined: a message must not be able to run code in the page. */
export function toSafeUrl(url: string | undefined): string | undefined {
  const protocol = url && parse(url, 'https://page.invalid')?.protocol
  return protocol && ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? url : undefined
}

/** Returns the target of a link: paths open in the same tab, other sites in a new one, unless a target is set. */
export function toLink(
  redirect: Redirect | undefined,
): { readonly href: string; readonly target: string | undefined } | undefined {
  const href = toSafeUrl(redirect?.url)
  if (href === undefined) return undefined
  // A document without an address, such as `about:srcdoc`, has the base and the origin of the page that contains it.
  const url = parse(href, document.baseURI)
  const isElsewhere = url?.protocol.startsWith('http') && url.origin !== globalThis.origin
  return { href, target: redirect?.target ?? (isElsewhere ? '_blank' : undefined) }
}

function parse(url: string, base: string): URL | undefined {
  try {
    return new URL(url, base)
  } catch {
    return undefined
  }
}
