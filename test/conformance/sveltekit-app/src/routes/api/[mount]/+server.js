import { serve } from '@trestle/sveltekit'
import { mountedBy } from '../../../mounted.js'

const forward = (method) => (event) => mountedBy(serve, event.params.mount)[method](event)

export const GET = forward('GET')
export const POST = forward('POST')
export const OPTIONS = forward('OPTIONS')
export const HEAD = forward('HEAD')
export const PUT = forward('PUT')
export const PATCH = forward('PATCH')
export const DELETE = forward('DELETE')
