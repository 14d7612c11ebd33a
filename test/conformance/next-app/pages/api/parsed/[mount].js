import { serve } from '@trestle/next/pages'
import { mountedBy } from '../../../mounted.mjs'

// Without the line that switches Next's body parser off.
export default (request, response) => mountedBy(serve, request.query.mount)(request, response)
