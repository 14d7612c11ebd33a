import { accessSync, constants } from 'node:fs'
import { programFiles } from '../base/search-path.ts'

/** A supported tunnel program. */
export interface TunnelProgram {
  /** Its name, as typed on the command line. */
  readonly name: string
  /** Returns the command that opens a tunnel to a local address. */
  readonly command: (origin: string) => string
  /** Finds its public address in its output; uses the first group if there is one. */
  readonly pattern: RegExp
}

/** The tunnel programs, in order of preference. */
export const tunnelPrograms: readonly TunnelProgram[] = Object.freeze([
  {
    name: 'cloudflared',
    command: (origin) => `cloudflared tunnel --no-autoupdate --url ${origin}`,
    pattern: /https:\/\/[a-z0-9-]+\.trycloudflare\.com/i,
  },
  {
    name: 'ngrok',
    command: (origin) => `ngrok http ${origin} --log stdout --log-format logfmt`,
    pattern: /\burl=(https:\/\/[^\s"]+)/i,
  },
])

/** Matches any address without a path: addresses with a path are assumed to be documentation. */
export const anyAddress: RegExp = /https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?\/?(?=[\s"'|)\]]|$)/i

/** Returns whether a program is installed. */
export function isInstalled(name: string, env: Readonly<Record<string, string | undefined>>): boolean {
  return programFiles(name, env).some((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
