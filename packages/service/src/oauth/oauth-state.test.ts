import { expect, test } from 'vitest'
import { createVault } from '../secrets/vault.ts'
import { openState, sealState } from './oauth-state.ts'

const vault = createVault(Buffer.alloc(32, 1))
const place = { table: 'oauth state', column: 'query', key: [] }
const seal = (text: string) => vault.for('oauth-state').seal(text, place)
const state = { environmentId: 'e', subscriberId: 's', subscriberRowId: 'r', integrationId: 'i' }

test('accepts a state for fifteen minutes, and only one created by this service', () => {
  const text = sealState(state, vault, 1000)
  expect(openState(text, vault, 1000)).toEqual({ ...state, id: expect.any(String), untilMs: 1000 + 15 * 60_000 })
  expect(openState(text, vault, 1000 + 15 * 60_000)).toMatchObject(state)
  expect(openState(text, vault, 1001 + 15 * 60_000)).toBeUndefined()
  expect(openState(text, createVault(Buffer.alloc(32, 2)), 1000)).toBeUndefined()
  expect(openState(seal('{"environmentId":"e"}'), vault, 1000)).toBeUndefined()
  const { subscriberRowId: _, ...other } = state
  expect(openState(seal(JSON.stringify({ ...other, untilMs: 2000 })), vault, 1000)).toBeUndefined()
  expect(openState(seal('no'), vault, 1000)).toBeUndefined()
  expect(openState('', vault, 1000)).toBeUndefined()
  const [one, two] = [text, sealState(state, vault, 1000)].map((each) => openState(each, vault, 1000)?.id)
  expect(one).not.toBe(two)
  // A value encrypted at rest is not a valid state, even if it is used as one.
  const whole = JSON.stringify({ ...state, id: 'x', untilMs: 2000 })
  expect(openState(seal(whole), vault, 1000)).toBeDefined()
  expect(openState(vault.seal(whole, place), vault, 1000)).toBeUndefined()
})
