import { describe, expect, it } from 'vitest'
import { createLookup } from './lookup.ts'

describe('an option of createLookup', () => {
  it.each<[unknown, string]>([
    [7, 'needs an options object'],
    [null, 'needs an options object'],
    [[], 'needs an options object'],
    [{ server: ['10.0.0.53'] }, 'no option "server"'],
    [{ toString: 7 }, 'no option "toString"'],
    ...[[], '10.0.0.53', [7], ['name.test'], ['10.0.0.53:port'], ['']].map((servers): [unknown, string] => [
      { servers },
      'servers must be',
    ]),
    ...[0, -5, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5'].map((ms): [unknown, string] => [
      { serverTimeoutMs: ms },
      'serverTimeoutMs must be',
    ]),
    [{ hostsFile: 7 }, 'hostsFile must be'],
    [{ hostsFile: 'a\0b' }, 'hostsFile must be'],
    [{ resolverFile: '' }, 'resolverFile must be'],
  ])('is rejected at creation instead of resembling an unreachable server later: %j', (options, message) => {
    expect(() => createLookup(options as never)).toThrow(message)
    expect(() => createLookup(options as never)).toThrow(TypeError)
  })

  it.each([
    [{}],
    [{ servers: undefined, hostsFile: undefined }],
    [{ servers: ['10.0.0.53', '[fd00::53]:5353', 'fd00::1', '10.0.0.53:5353'] }],
    [{ serverTimeoutMs: 1, hostsFile: '/none', resolverFile: '/none' }],
  ])('can be %j', (options) => {
    expect(createLookup(options as never)).toBeTypeOf('function')
  })
})
