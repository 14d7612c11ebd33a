import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readJson, root } from '../repository.ts'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = readJson(join(root, 'package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** The folders in which a package looks for its dependencies, nearest first. */
function* placesOf(path: string, name: string): Generator<string> {
  for (
    let at = path;
    at !== '';
    at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : ''
  )
    yield `${at}/node_modules/${name}`
  yield `node_modules/${name}`
}

test('npm ci accepts the lock file on every platform, because it contains the packages for each', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => {
        const place = [...placesOf(path, name)].find((candidate) => Object.hasOwn(packages, candidate))
        return place === undefined || (/^\d/.test(version) && packages[place]?.version !== version)
      })
      .map(([name]) => `${path}: ${name}; run npm run lock`),
  )
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test('npm ci verifies every package that it installs, on every platform', () => {
  const unverified = Object.entries(packages).filter(
    ([path, { link, inBundle, integrity = '' }]) =>
      path.includes('node_modules/') && !link && !inBundle && !/^sha512-[\w+/]{86}==$/.test(integrity),
  )
  expect(unverified.map(([path]) => `${path}; run npm run lock`)).toEqual([])
})

test('the lock file contains no registry address of the machine that created it', () => {
  expect(Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link)).toEqual([])
})
