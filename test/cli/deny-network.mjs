import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

// Loaded before a command: every connection outside loopback fails and is recorded.

const loopback = /^(127\.|::1$|localhost$)/

function deny(what) {
  appendFileSync(process.env['DENIED_FILE'], `${what}\n`)
  return new Error(`The network is denied: ${what}`)
}

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  const [first, second] = args.flat()
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: second }
  if (options.path === undefined && !loopback.test(options.host ?? 'localhost'))
    throw deny(`${options.host}:${options.port}`)
  return connect.apply(this, args)
}
for (const owner of [dns, dns.promises])
  for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
    const given = owner[name]
    owner[name] = function (host, ...rest) {
      if (!loopback.test(host)) throw deny(`the name ${host}`)
      return given.call(this, host, ...rest)
    }
  }
// Names are also looked up by resolvers and with custom packets.
for (const { Resolver } of [dns, dns.promises])
  for (const name of ['resolve', 'resolve4', 'resolve6', 'resolveCname'])
    Resolver.prototype[name] = (host) => {
      throw deny(`the name ${host}`)
    }
dgram.Socket.prototype.send = () => {
  throw deny('a packet of UDP')
}
syncBuiltinESMExports()
