// The build without Node built-ins; the package types only its other entry.
declare module 'liquidjs/dist/liquid.browser.mjs' {
  export * from 'liquidjs'
}
