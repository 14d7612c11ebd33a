import { networkInterfaces } from 'node:os'
import type { Endpoint } from '@trestle/bridge-client'
import { isLoopback } from '../config/is-loopback.ts'

/** Where the API of this process is. */
export interface ServiceAddress {
  /** Returns the address at which bridges reach it, without a slash at its end. */
  readonly read: () => string
  /** Sets where it listens; as its address the one of the settings wins. */
  readonly listensAt: (url: string, endpoint: Endpoint) => void
  /** Returns whether a connection to an endpoint would end at this process. */
  readonly isOwn: (endpoint: Endpoint) => boolean
}

/** A listener at one of these listens at every address of the machine; a connection to one leads to the loopback. */
const unspecified: readonly string[] = ['0.0.0.0', '::']

/**
 * Creates the address of the service. It never comes from a request.
 *
 * @param publicUrl - The address of the settings, where there is one.
 */
export function createServiceAddress(publicUrl: string | undefined): ServiceAddress {
  let url = publicUrl
  let own: Endpoint | undefined
  return {
    read() {
      if (url === undefined) throw new Error('The service does not listen yet.')
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

/** Read for each check: addresses come and go. */
function listAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
}
