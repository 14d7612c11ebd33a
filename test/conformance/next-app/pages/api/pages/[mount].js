import { serve } from '@trestle/next/pages'
import { mountedBy } from '../../../mounted.mjs'

export default (request, response) => mountedBy(serve, request.query.mount)(request, response)
export const config = { api: { bodyParser: false } }
