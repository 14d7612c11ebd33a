import dgram from 'node:dgram'
import dns from 'node:dns'
import net, { isIP } from 'node:net'
import { parseUrl } from '@trestle/protocol'
import { isAllowed, NetworkRefusedError } from '../context/network-policy.ts'
import { holdWork } from '../context/real-work.ts'
import { contextStorage } from '../context/test-context.ts'
import { joinReplacements, type Replacement, replaceProperty } from './replace-property.ts'
import { type SocketTarget, toSocketTarget } from './socket-target.ts'

type Callback = (error: Error) => void
type AnyFunction = (...args: unknown[]) => unknown

// Kept from before any test could put its own in place.
const ownFetch = globalThis.fetch

const queries = ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveMx', 'resolveSrv', 'resolveTxt']

/**
 * Refuses whatever a test context does not allow to reach: at the socket, at the look-up of names, and at `fetch`, where
 * the whole URL is known. Notes what a workflow function asks for itself. Code outside of a test context is let through.
 */
export function patchNetwork(): Replacement {
  return joinReplacements([patchSocket(), patchDatagrams(), ...patchLookups(), patchFetch()])
}

/** Notes a target, and returns the failure of one that the test context does not allow. */
function refuse({ host, url }: SocketTarget): NetworkRefusedError | undefined {
  const context = contextStorage.getStore()
  if (context?.inFunction) context.requests.push(url)
  if (!context || isAllowed(context.network, host)) return undefined
  context.refused.push(url)
  return new NetworkRefusedError(url)
}

/** Lets a request through; the look-ups and sockets it needs are not requests of their own. */
function letThrough<TResult>(request: () => TResult): TResult {
  const context = contextStorage.getStore()
  if (!context?.inFunction && !context?.work) return request()
  // What the request keeps to itself, such as the timers of a pool of connections, is nobody's wait.
  const result = contextStorage.run({ ...context, inFunction: false, clock: undefined, work: undefined }, request)
  holdWork(context.work, result)
  return result
}

/** Every connection ends here: those of tls, http and https too, however their functions were imported. */
function patchSocket(): Replacement {
  return replaceProperty(net.Socket.prototype, 'connect', (original) => {
    const connect = original as AnyFunction
    return function (this: net.Socket, ...args: unknown[]) {
      const target = toSocketTarget(args)
      const error = target && refuse(target)
      if (!error) return letThrough(() => connect.apply(this, args))
      // As a failing connection does: later, and as an event.
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}

function patchDatagrams(): Replacement {
  return replaceProperty(dgram.Socket.prototype, 'send', (original) => {
    const send = original as AnyFunction
    return function (this: dgram.Socket, ...args: unknown[]) {
      const host = args.slice(1).find((arg) => typeof arg === 'string')
      const port = args.slice(1).findLast((arg) => typeof arg === 'number')
      const error = host === undefined ? undefined : refuse({ host, url: `udp://${host}:${String(port)}` })
      if (!error) return letThrough(() => send.apply(this, args))
      const callback = args.at(-1)
      process.nextTick(() => (typeof callback === 'function' ? callback(error) : this.emit('error', error)))
      return undefined
    } as typeof original
  })
}

function patchLookups(): readonly Replacement[] {
  const byCallback = dns as unknown as Record<string, AnyFunction>
  const byPromise = dns.promises as unknown as Record<string, AnyFunction>
  return queries.flatMap((query) => [
    replaceProperty(byCallback, query, (original) => (...args) => {
      const error = refuseName(args[0])
      if (!error) return letThrough(() => original.apply(dns, args))
      process.nextTick(args.at(-1) as Callback, error)
      return undefined
    }),
    replaceProperty(byPromise, query, (original) => (...args) => {
      const error = refuseName(args[0])
      return error ? Promise.reject(error) : letThrough(() => original.apply(dns.promises, args))
    }),
  ])
}

/** An address is not a name: nobody has to be asked for it. */
function refuseName(name: unknown): NetworkRefusedError | undefined {
  return typeof name === 'string' && isIP(name) === 0 ? refuse({ host: name, url: `dns://${name}` }) : undefined
}

function patchFetch(): Replacement {
  // A fetch that a test has put in place is no network: it is called, and only noted.
  const isOwn = globalThis.fetch === ownFetch
  return replaceProperty(
    globalThis,
    'fetch',
    (original) =>
      new Proxy(original, {
        apply(target, owner, args: Parameters<typeof fetch>) {
          const [input] = args
          const url = input instanceof Request ? input.url : String(input)
          const served = contextStorage.getStore()?.service?.(url, args[1])
          if (served) return served
          const host = isOwn ? (parseUrl(url)?.hostname ?? '') : ''
          const error = refuse({ host, url })
          return error ? Promise.reject(error) : letThrough(() => Reflect.apply(target, owner, args))
        },
      }),
  )
}
