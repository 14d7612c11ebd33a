import { svelteKitMount } from './mounts/sveltekit.ts'
import { conformance } from './suite.ts'

conformance(svelteKitMount, 'adapter')
