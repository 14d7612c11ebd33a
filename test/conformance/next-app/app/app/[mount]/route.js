import { serve } from '@trestle/next'
import { mountedBy } from '../../../mounted.mjs'

const forward = (method) => async (request, context) => {
  const { mount } = await context.params
  return mountedBy(serve, mount)[method](request)
}

export const GET = forward('GET')
export const POST = forward('POST')
export const OPTIONS = forward('OPTIONS')
export const HEAD = forward('HEAD')
export const PUT = forward('PUT')
export const PATCH = forward('PATCH')
export const DELETE = forward('DELETE')
