import { expect, test } from 'vitest'
import { readEnvironmentPath, toEnvironmentBase, toSharedPage } from './environment-path.ts'

test.each([
  ['/', undefined, '/'],
  ['/runs/01a21d4f71c000ab9aa017dd', undefined, '/runs/01a21d4f71c000ab9aa017dd'],
  ['/environments', undefined, '/environments'],
  ['/env', undefined, '/env'],
  ['/env/Production', 'Production', '/'],
  ['/env/Production/', 'Production', '/'],
  ['/env/Production/runs/1', 'Production', '/runs/1'],
  ['/env/50%', '50%', '/'],
])('reads the environment of %s', (path, environment, page) => {
  expect(readEnvironmentPath(path)).toEqual({ environment, page })
})

test.each(['Production', 'QA & Staging', '50% / half', 'Ümlaut?', 'a+b=c', '%2F', '#1'])(
  'keeps the name %s in a path',
  (name) => {
    // The router decodes a path once, except for reserved characters.
    const path = decodeURI(`${toEnvironmentBase(name)}/runs`)
    expect(readEnvironmentPath(path)).toEqual({ environment: name, page: '/runs' })
  },
)

test.each([
  ['/', '/'],
  ['/runs', '/runs'],
  ['/runs/01a21d4f71c000ab9aa017dd', '/runs'],
  ['/workflows/welcome/steps/mail', '/workflows/welcome/steps/mail'],
  ['/agents/concierge/conversations/01a21d4f71c000ab9aa017dd', '/agents'],
])('for %s, shows %s in another environment', (page, shared) => {
  expect(toSharedPage(page)).toBe(shared)
})
