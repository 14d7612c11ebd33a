import { expect, test } from 'vitest'
import type { ServiceOptions } from './options.ts'
import { readSettings, SettingsError } from './settings.ts'

test.each<[object, string]>([
  [{ portt: 1 }, 'portt: this option does not exist'],
  [{ toString: 1 }, 'toString: this option does not exist'],
  [{ log: () => undefined }, 'log: must be an object with the method write'],
  [{ log: {} }, 'log: must be an object with the method write'],
  [{ clock: { now: () => 0 } }, 'clock: must be an object with the methods now and sleep'],
  [{ mounts: { '/mcp': 5 } }, 'mounts./mcp: must be a function'],
  [{ studio: 'here' }, 'studio: must be true, false or the URL of a folder'],
  [{ bridge: 5 }, 'bridge: must be an object'],
  [{ dataFolder: 5 }, 'dataFolder: Invalid input: expected string, received number'],
  [{ databaseFile: 5 }, 'databaseFile: Invalid input: expected string, received number'],
])('rejects an unknown or invalid option by name: %j', (options, message) => {
  expect(() => readSettings(options as ServiceOptions, {})).toThrow(new SettingsError(message))
})

test('uses valid options unchanged', () => {
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
