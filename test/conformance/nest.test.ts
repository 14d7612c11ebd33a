import { nestMounts } from './mounts/nest.ts'
import { conformance } from './suite.ts'

for (const [index, mount] of nestMounts.entries()) conformance(mount, index === 0 ? 'adapter' : 'variant')
