import { expect, test } from 'vitest'
import { createVault } from '../secrets/vault.ts'
import { openState, sealState } from './oauth-state.ts'

const vault = createVault(Buffer.alloc(32, 1))
const state = { environmentId: 'e', subscriberId: 's', subscriberRowId: 'r', integrationId: 'i' }

test('a state is valid for fifteen minutes, and only as this service made it', () => {
  const text = sealState(state, vault, 1000)
  expect(openState(text, vault, 1000)).toEqual(state)
  expect(openState(text, vault, 1000 + 15 * 60_000)).toEqual(state)
  expect(openState(text, vault, 1001 + 15 * 60_000)).toBeUndefined()
  expect(openState(text, createVault(Buffer.alloc(32, 2)), 1000)).toBeUndefined()
  expect(openState(vault.seal('{"environmentId":"e"}'), vault, 1000)).toBeUndefined()
  const { subscriberRowId: _, ...other } = state
  expect(openState(vault.seal(JSON.stringify({ ...other, untilMs: 2000 })), vault, 1000)).toBeUndefined()
  expect(openState(vault.seal('no'), vault, 1000)).toBeUndefined()
  expect(openState('', vault, 1000)).toBeUndefined()
})
