import { isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Fault, isFault, type Phase } from '../failure/fault.ts'
import type { Target } from '../policy/target.ts'

/** Starts a TCP connection; the socket then emits `connect` or `error`. `address` is an IP address, never a name. */
export type Connect = (target: { readonly address: string; readonly port: number }) => Socket

/** What {@link openConnection} works with. */
export interface ConnectionOptions {
  /** Starts TCP connections. */
  readonly connect: Connect
  /** Whether certificates are checked. */
  readonly checkCertificates: boolean
  /** Authorities that are trusted instead of the runtime's own, PEM. */
  readonly ca: string | readonly string[] | undefined
  /** Ends the attempt. */
  readonly signal: AbortSignal
}

/** A connection to a checked address, over TLS where the URL says so, on which nothing has been sent. */
export interface Connection {
  /** The socket; for https its certificate has been checked. */
  readonly socket: Socket
  /** The address it is connected to. */
  readonly address: string
}

/**
 * Connects to one of the checked addresses, each tried in turn. Nothing is sent before the certificate is accepted.
 *
 * @param target - A URL with its checked addresses.
 * @param options - Connector, certificates and the attempt's signal.
 */
export async function openConnection(target: Target, options: ConnectionOptions): Promise<Connection | Fault> {
  let last: Fault = { fault: 'connect', error: new Error('there is no address') }
  for (const address of target.addresses) {
    const opened = await open(target, address, options)
    if (!isFault(opened)) return { socket: opened, address }
    last = { ...opened, address }
    // Only a refused connection says nothing about the other addresses.
    if (opened.fault !== 'connect' || options.signal.aborted) break
  }
  return last
}

async function open(target: Target, address: string, options: ConnectionOptions): Promise<Socket | Fault> {
  const { url, host } = target
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port || (isSecure ? 443 : 80))
  const { signal } = options
  let plain: Socket
  try {
    plain = options.connect({ address, port })
  } catch (error) {
    return { fault: 'connect', error }
  }
  const fault = await ready(plain, { event: 'connect', phase: 'connect', signal })
  if (fault !== undefined || !isSecure) return fault ?? plain
  const secure = connectTls({
    socket: plain,
    host,
    // An address must not be sent as a server name.
    servername: isIP(host) === 0 ? host : '',
    rejectUnauthorized: options.checkCertificates,
    ...(options.ca === undefined ? {} : { ca: [...[options.ca].flat()] }),
  })
  return (await ready(secure, { event: 'secureConnect', phase: 'secure', signal })) ?? secure
}

interface ReadyOptions {
  readonly event: string
  readonly phase: Phase
  readonly signal: AbortSignal
}

/** Waits until a socket can be used; gives the fault if it cannot, and destroys it then. */
function ready(socket: Socket, { event, phase, signal }: ReadyOptions): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const settle = (fault?: Fault): void => {
      signal.removeEventListener('abort', onAbort)
      if (fault !== undefined) socket.destroy()
      resolve(fault)
    }
    const onAbort = (): void => settle({ fault: phase, error: signal.reason })
    // The listener for errors stays: a socket that fails between two steps must not end the process.
    socket.on('error', (error) => settle({ fault: phase, error }))
    socket.once('close', () => settle({ fault: phase, error: closedEarly() }))
    socket.once(event, () => settle())
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
}

function closedEarly(): Error {
  return Object.assign(new Error('the peer closed the connection'), { code: 'ECONNRESET' })
}
