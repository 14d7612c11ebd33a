import { afterAll } from 'vitest'
import { nextMounts, stopNext } from './mounts/next.ts'
import { conformance } from './suite.ts'

afterAll(stopNext)

for (const mount of nextMounts) conformance(mount, mount.body === 'parsed' ? 'variant' : 'adapter')
