import { reactRouterMount } from './mounts/react-router.ts'
import { conformance } from './suite.ts'

conformance(reactRouterMount, 'adapter')
