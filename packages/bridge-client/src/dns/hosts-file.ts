import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'

export const systemHostsFile: string =
  process.platform === 'win32'
    ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts'

interface ReadFile {
  readonly mtimeMs: number
  readonly size: number
  readonly addresses: ReadonlyMap<string, readonly string[]>
}

const readFiles = new Map<string, ReadFile>()

/**
 * Returns the addresses of a name in a hosts file; empty if the file is missing. The file is read again only if it has
 * changed, and synchronously, because Node's file threads may all be busy.
 */
export function findInHostsFile(host: string, path: string): readonly string[] {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  const { mtimeMs, size } = stat
  const cached = readFiles.get(path)
  if (cached?.mtimeMs === mtimeMs && cached.size === size) return cached.addresses.get(host) ?? []
  const addresses = parseHosts(readFileSync(path, 'utf8'))
  readFiles.set(path, { mtimeMs, size, addresses })
  return addresses.get(host) ?? []
}

function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const addressesByName = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '')
      const addresses = addressesByName.get(key) ?? []
      if (!addresses.includes(address)) addressesByName.set(key, [...addresses, address])
    }
  }
  return addressesByName
}
