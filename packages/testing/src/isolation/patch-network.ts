import dgram from 'node:dgram'
import dns from 'node:dns'
import net, { isIP } from 'node:net'
import { isAllowed, NetworkRefusedError } from '../context/network-policy.ts'
import { scenes } from '../context/test-context.ts'
import { swap } from './replace-property.ts'
import { type SocketTarget, toSocketTarget } from './socket-target.ts'

type Restore = () => void
type Callback = (error: Error) => void
type AnyFunction = (...args: unknown[]) => unknown

// Kept from before any test could put its own in place: a fetch that a test has set is no network.
const ownFetch = globalThis.fetch

const queries = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveMx', 'resolveSrv', 'resolveTxt']

/**
 * Refuses whatever a scene does not allow to reach: at the socket, at the look-up of names, and at `fetch`, where the
 * whole URL is known. Code outside of a scene is let through.
 *
 * @returns Takes the guard away.
 */
export function patchNetwork(): Restore {
  const restores = [patchSocket(), patchDatagrams(), ...patchLookups(), patchFetch()]
  return () => {
    for (const restore of restores) restore()
  }
}

/** Gives the failure of a target that the scene does not allow, and notes it. */
function refuse({ host, url }: SocketTarget): NetworkRefusedError | undefined {
  const scene = scenes.getStore()
  if (!scene || isAllowed(scene.network, host)) return undefined
  scene.refused.push(url)
  return new NetworkRefusedError(url)
}

/** Every connection ends here: those of tls, http and https too, however their functions were imported. */
function patchSocket(): Restore {
  return swap(net.Socket.prototype, 'connect', (original) => {
    const connect = original as AnyFunction
    return function (this: net.Socket, ...args: unknown[]) {
      const target = toSocketTarget(args)
      const error = target && refuse(target)
      if (!error) return connect.apply(this, args)
      // As a failing connection does: later, and as an event.
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}

function patchDatagrams(): Restore {
  return swap(dgram.Socket.prototype, 'send', (original) => {
    const send = original as AnyFunction
    return function (this: dgram.Socket, ...args: unknown[]) {
      const host = args.slice(1).find((arg) => typeof arg === 'string')
      const port = args.slice(1).findLast((arg) => typeof arg === 'number')
      const error = host === undefined ? undefined : refuse({ host, url: `udp://${host}:${String(port)}` })
      if (!error) return send.apply(this, args)
      const callback = args.at(-1)
      process.nextTick(() => (typeof callback === 'function' ? callback(error) : this.emit('error', error)))
      return undefined
    } as typeof original
  })
}

function patchLookups(): readonly Restore[] {
  const byCallback = dns as unknown as Record<string, AnyFunction>
  const byPromise = dns.promises as unknown as Record<string, AnyFunction>
  return queries.flatMap((query) => [
    swap(byCallback, query, (original) => (...args) => {
      const error = refuseName(args[0])
      if (!error) return original.apply(dns, args)
      process.nextTick(args.at(-1) as Callback, error)
      return undefined
    }),
    swap(byPromise, query, (original) => (...args) => {
      const error = refuseName(args[0])
      return error ? Promise.reject(error) : original.apply(dns.promises, args)
    }),
  ])
}

/** An address is no name: nobody has to be asked for it. */
function refuseName(name: unknown): NetworkRefusedError | undefined {
  return typeof name === 'string' && isIP(name) === 0 ? refuse({ host: name, url: `dns://${name}` }) : undefined
}

function patchFetch(): Restore {
  if (globalThis.fetch !== ownFetch) return () => undefined
  return swap(globalThis, 'fetch', (original) => async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const host = URL.canParse(url) ? new URL(url).hostname : ''
    const error = refuse({ host, url })
    if (error) throw error
    return original(input, init)
  })
}
