import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import { onAbort } from '../base/on-abort.ts'
import { type Fault, isFault } from '../failure/fault.ts'
import type { Target } from '../policy/target.ts'
import { type Connection, closedEarly, type FirstConnectionOptions, openFirstConnection } from './first-connection.ts'

/** Configures {@link openConnection}. */
export interface ConnectionOptions extends FirstConnectionOptions {
  readonly checkCertificates: boolean
  /** Trusted certificate authorities instead of the runtime's own. */
  readonly secureContext: SecureContext | undefined
  /** The protocol that a TLS peer must select. @default HTTP/1.1, without negotiation */
  readonly protocol?: 'h2'
}

/**
 * Connects to one of the checked addresses, with TLS for https. Nothing is sent before the certificate is accepted.
 *
 * @param target - A URL with its checked addresses.
 * @param options - Connector, certificates and the attempt's signal.
 */
export async function openConnection(target: Target, options: ConnectionOptions): Promise<Connection | Fault> {
  const isSecure = target.url.protocol === 'https:'
  const port = Number(target.url.port || (isSecure ? 443 : 80))
  const opened = await openFirstConnection(target.addresses, port, options)
  if (isFault(opened) || !isSecure) return opened
  const { address } = opened
  const secured = await secure(opened.socket, target.host, options)
  return isFault(secured) ? { ...secured, address } : { socket: secured, address }
}

async function secure(plain: Socket, host: string, options: ConnectionOptions): Promise<Socket | Fault> {
  const { signal, checkCertificates, secureContext, protocol } = options
  let socket: TLSSocket
  try {
    socket = connectTls({
      socket: plain,
      host,
      // An IP address must not be sent as the server name.
      servername: isIP(host) === 0 ? host : '',
      // Checked below: Node would close the socket before the code can check whether the certificate is self-signed.
      rejectUnauthorized: false,
      ...(protocol === undefined ? {} : { ALPNProtocols: [protocol] }),
      ...(secureContext === undefined ? {} : { secureContext }),
    })
  } catch (error) {
    plain.destroy()
    return { fault: 'secure', error }
  }
  const fault = await untilSecure(socket, signal)
  if (fault !== undefined) return fault
  const isTrusted = socket.authorized || !checkCertificates
  const isAgreed = protocol === undefined || socket.alpnProtocol === protocol
  if (isTrusted && isAgreed) return socket
  const error = isTrusted ? new Error(`the peer does not support ${protocol}`) : toCertificateError(socket)
  socket.destroy()
  return { fault: 'secure', error }
}

/** Waits until the handshake is complete; destroys the socket if it fails. */
function untilSecure(socket: TLSSocket, signal: AbortSignal): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const settle = (fault?: Fault): void => {
      stopListening()
      if (fault !== undefined) socket.destroy()
      resolve(fault)
    }
    socket.on('error', (error) => settle({ fault: 'secure', error }))
    socket.once('close', () => settle({ fault: 'secure', error: closedEarly() }))
    socket.once('secureConnect', () => settle())
    const stopListening = onAbort(signal, () => settle({ fault: 'secure', error: signal.reason }))
  })
}

/** A certificate that is self-signed and has another fault is reported as self-signed, which has to be fixed first. */
function toCertificateError(socket: TLSSocket): Error {
  // Typed as an error, but a string at run time since Node 0.11.
  const code = String(socket.authorizationError)
  const certificate = socket.getPeerX509Certificate()
  const isSelfSigned = certificate?.checkIssued(certificate) === true
  // A name mismatch is only detected in an otherwise trusted certificate.
  return isSelfSigned && code !== 'ERR_TLS_CERT_ALTNAME_INVALID'
    ? Object.assign(new Error(`the certificate is self-signed (${code})`), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    : Object.assign(new Error(`the certificate was rejected (${code})`), { code })
}
