export { Fragment, type JSX, jsx as jsxDEV } from './jsx/jsx.ts'
