import type { Redirect } from '../../wire/resources.ts'

/** Returns a URL that is safe to open, or undefined: a message must not be able to run code in the page. */
export function toSafeUrl(url: string | undefined): string | undefined {
  if (!url) return undefined
  try {
    const { protocol } = new URL(url, 'https://page.invalid')
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** Returns the target of a link: paths open in the same tab, other sites in a new one, unless a target is set. */
export function toLink(
  redirect: Redirect | undefined,
): { readonly href: string; readonly target: string | undefined } | undefined {
  const href = toSafeUrl(redirect?.url)
  if (href === undefined) return undefined
  const isElsewhere = new URL(href, location.href).origin !== location.origin
  return { href, target: redirect?.target ?? (isElsewhere && /^https?:/i.test(href) ? '_blank' : undefined) }
}
