/** The target of a connection. */
export interface SocketTarget {
  /** A name or an address. */
  readonly host: string
  /** The whole URL if known, otherwise scheme, host and port. */
  readonly url: string
}

/** The connection options that are read; `href` comes from an http or https request. */
interface ConnectOptions {
  readonly host?: string | null
  readonly port?: number | string | null
  readonly path?: string | null
  readonly href?: string | null
  readonly _defaultAgent?: { readonly protocol?: string }
}

/**
 * Reads the target of a socket from the arguments of `connect`, in any form.
 *
 * @returns `undefined` for a file system socket.
 */
export function toSocketTarget(args: readonly unknown[]): SocketTarget | undefined {
  // The net module passes its own calls as one array.
  const [first, second] = Array.isArray(args[0]) ? (args[0] as readonly unknown[]) : args
  const options = toOptions(first, second)
  if (!options || options.path) return undefined
  const host = options.host ?? 'localhost'
  const scheme = options._defaultAgent?.protocol ?? 'tcp:'
  const urlHost = host.includes(':') ? `[${host}]` : host
  return { host, url: options.href ?? `${scheme}//${urlHost}:${options.port ?? ''}` }
}

function toOptions(first: unknown, second: unknown): ConnectOptions | undefined {
  if (typeof first === 'object' && first !== null) return first
  // A string that is not a number is a Unix socket path.
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined
  const port = Number(first)
  return typeof second === 'string' ? { port, host: second } : { port }
}
