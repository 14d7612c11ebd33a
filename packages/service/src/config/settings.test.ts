import { expect, test } from 'vitest'
import type { ServiceOptions } from './options.ts'
import { readSettings, SettingsError } from './settings.ts'

test.each<[object, string]>([
  [{ portt: 1 }, 'portt: there is no such option'],
  [{ toString: 1 }, 'toString: there is no such option'],
  [{ log: () => undefined }, 'log: must be an object with the method write'],
  [{ log: {} }, 'log: must be an object with the method write'],
  [{ clock: { now: () => 0 } }, 'clock: must be an object with the methods now and sleep'],
  [{ mounts: { '/mcp': 5 } }, 'mounts./mcp: must be a function'],
  [{ studio: 'here' }, 'studio: must be true, false or the URL of a folder'],
  [{ bridge: 5 }, 'bridge: must be an object'],
  [{ dataFolder: 5 }, 'dataFolder: Invalid input: expected string, received number'],
  [{ databaseFile: 5 }, 'databaseFile: Invalid input: expected string, received number'],
])('an option that is unknown or of another kind is refused and named: %j', (options, message) => {
  expect(() => readSettings(options as ServiceOptions, {})).toThrow(new SettingsError(message))
})

test('what is given is used as it is', () => {
  const given = {
    ...{ log: { write: () => undefined }, clock: { now: () => 0, sleep: async () => undefined } },
    ...{ mounts: { '/mcp': async () => ({ status: 200, headers: {}, body: '' }) }, studio: new URL('file:///studio/') },
    ...{ dataFolder: 'here', bridge: { timeoutMs: 5 } },
  }
  const settings = readSettings(given, {})
  for (const name of ['log', 'clock', 'studio', 'bridge'] as const) expect(settings[name]).toBe(given[name])
  expect(settings.mounts['/mcp']).toBe(given.mounts['/mcp'])
  expect([settings.dataFolder, settings.databaseFile]).toEqual(['here', 'here/service.db'])
})
