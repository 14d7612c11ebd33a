declare module '*/inbox.css' {
  const css: string
  export default css
}
