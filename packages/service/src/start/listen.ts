import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The address of a server. */
export interface ListenAddress {
  readonly port: number
  readonly host: string
  /** The option that sets the port, and its environment variable. */
  readonly option: string
}

/**
 * Starts to listen, and returns the address.
 *
 * @throws The system's error with its `code`, and with a message that names the option, if the port cannot be used.
 */
export async function listen(server: Server, { port, host, option }: ListenAddress): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: 'is already used by another program',
      EACCES: 'may not be used by this user',
      EADDRNOTAVAIL: 'is not an address of this machine',
    }
    const reason = reasons[error.code ?? ''] ?? `cannot be used: ${error.message}`
    error.message = `Port ${port} on ${host} ${reason}. Set another with ${option}.`
    throw error
  })
  return server.address() as AddressInfo
}
