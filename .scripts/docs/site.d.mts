/** A link, resolved. */
export interface Link {
  readonly page?: string
  readonly file?: string
  readonly hash: string
  readonly error?: string
}

export const pages: ReadonlyMap<string, string>
export function toPagePath(file: string): string
export function slugify(title: string): string
export function anchorsOf(file: string): ReadonlySet<string>
export function resolveLink(file: string, href: string): Link
export function linksOf(file: string): readonly string[]
