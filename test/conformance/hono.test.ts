import { honoMounts } from './mounts/hono.ts'
import { conformance } from './suite.ts'

for (const mount of honoMounts) conformance(mount, mount.name.endsWith('bare') ? 'adapter' : 'variant')
