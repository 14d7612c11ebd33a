import { type RouteConfig, route } from '@react-router/dev/routes'

export default [route('api/bridge', './bridge.ts')] satisfies RouteConfig
