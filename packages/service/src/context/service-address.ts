import { networkInterfaces } from 'node:os'
import type { Endpoint } from '@trestle/bridge-client'
import { isLoopback } from '../config/is-loopback.ts'

/** The address of this process's API. */
export interface ServiceAddress {
  /** Returns the URL for bridges, without a trailing slash. */
  readonly read: () => string
  /** Sets the listening address. A URL in the settings has priority. */
  readonly listensAt: (url: string, endpoint: Endpoint) => void
  /** Returns whether a connection to an endpoint would reach this process. */
  readonly isOwn: (endpoint: Endpoint) => boolean
}

/**
 * A listener on one of these accepts connections on all addresses of the machine; a connection to one reaches loopback.
 */
const unspecified: readonly string[] = ['0.0.0.0', '::']

/**
 * Creates the address of the service. It never comes from a request.
 *
 * @param publicUrl - The URL in the settings, if any.
 */
export function createServiceAddress(publicUrl: string | undefined): ServiceAddress {
  let url = publicUrl
  let own: Endpoint | undefined
  return {
    read() {
      if (url === undefined) throw new Error('The service is not listening yet.')
      return url.replace(/\/+$/, '')
    },
    listensAt(listening, endpoint) {
      url = publicUrl ?? listening
      own = endpoint
    },
    isOwn({ address, port }) {
      if (own?.port !== port) return false
      const isLocal = isLoopback(address) || unspecified.includes(address)
      if (unspecified.includes(own.address)) return isLocal || listAddresses().includes(address)
      return isLoopback(own.address) ? isLocal : address === own.address
    },
  }
}

/** Read for each check, because network interfaces change. */
function listAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
}
