export { describeUnsafe, findFilledAddress, findUnsafeAddress, type UnsafeAddress } from './addresses/unsafe-address.ts'
export type { HtmlPosition } from './base/html-position.ts'
