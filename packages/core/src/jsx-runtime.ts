export { Fragment, type JSX, jsx, jsx as jsxs } from './jsx/jsx.ts'
