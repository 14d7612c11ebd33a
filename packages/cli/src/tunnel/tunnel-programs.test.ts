import { describe, expect, it } from 'vitest'
import { anyAddress, tunnelPrograms } from './tunnel-programs.ts'

const find = (pattern: RegExp, line: string): string | undefined => {
  const match = pattern.exec(line)
  return match?.[1] ?? match?.[0]
}
const patternOf = (name: string): RegExp => tunnelPrograms.find((one) => one.name === name)?.pattern ?? /never/

describe('the address of a tunnel', () => {
  it.each([
    [
      'cloudflared',
      '2026-11-21T20:00:00Z INF |  https://quick-brown-fox.trycloudflare.com                   |',
      'https://quick-brown-fox.trycloudflare.com',
    ],
    [
      'cloudflared',
      'INF Thank you for trying Cloudflare Tunnel. Doing so, ... (https://www.cloudflare.com/website-terms/)',
      undefined,
    ],
    [
      'ngrok',
      't=2026-11-21T20:00:00+0000 lvl=info msg="started tunnel" obj=tunnels name=command_line addr=http://127.0.0.1:4000 url=https://ab12.ngrok-free.app',
      'https://ab12.ngrok-free.app',
    ],
    ['ngrok', 'lvl=info msg="client session established" obj=tunnels.session', undefined],
  ])('of %s is found in %j', (name, line, address) => {
    expect(find(patternOf(name), line)).toBe(address)
  })

  it.each([
    ['your url is: https://lucky-duck.loca.lt', 'https://lucky-duck.loca.lt'],
    ['tunneled with tls termination, https://abc.lhr.life', 'https://abc.lhr.life'],
    ['"url": "http://127.0.0.1:8080/"', 'http://127.0.0.1:8080/'],
    ['read https://docs.example.com/start for more', undefined],
  ])('of any program is found in %j', (line, address) => {
    expect(find(anyAddress, line)).toBe(address)
  })

  it('is requested for the port of the app', () => {
    for (const { command } of tunnelPrograms)
      expect(command('http://127.0.0.1:4000')).toContain('http://127.0.0.1:4000')
  })
})
