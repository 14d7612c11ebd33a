import { readFileSync } from 'node:fs'

/** How unqualified names are completed. */
export interface SearchPath {
  /** The domains that are tried, in this order. */
  readonly domains: readonly string[]
  /** A name with at least this many dots is tried unchanged first. */
  readonly minDots: number
}

const maxDomains = 6
const maxDots = 15

/**
 * Returns the search path of a resolver configuration; the default one if the file cannot be read.
 *
 * @param path - A file such as `/etc/resolv.conf`.
 */
export function readSearchPath(path: string): SearchPath {
  let domains: readonly string[] = []
  let minDots = 1
  for (const line of readLines(path)) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') domains = values.map((domain) => domain.replace(/\.$/, ''))
    if (keyword !== 'options') continue
    for (const value of values) {
      const dots = /^ndots:(\d{1,3})$/.exec(value)?.[1]
      if (dots !== undefined) minDots = Math.min(Number(dots), maxDots)
    }
  }
  return { domains: domains.filter((domain) => domain !== '').slice(0, maxDomains), minDots }
}

/** Returns the full names of a host, in the order in which they are tried. */
export function toFullNames(host: string, { domains, minDots }: SearchPath): readonly string[] {
  const completed = domains.map((domain) => `${host}.${domain}`)
  return host.split('.').length - 1 >= minDots ? [host, ...completed] : [...completed, host]
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    return []
  }
}
