import { serve } from '@trestle/react-router'
import { mountedBy } from './mounted.js'

export const loader = (route) => mountedBy(serve, route.params.mount).loader(route)
export const action = (route) => mountedBy(serve, route.params.mount).action(route)
