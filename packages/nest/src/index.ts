export { type AsyncBridgeOptions, BridgeModule, type MountedOptions } from './bridge-module.ts'
