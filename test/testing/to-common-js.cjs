const { transpileModule, ModuleKind, ScriptTarget } = require('typescript')

// What ts-jest, babel-jest and @swc/jest do in a project of CommonJS.
const compilerOptions = {
  module: ModuleKind.CommonJS,
  target: ScriptTarget.ES2022,
  esModuleInterop: true,
  allowJs: true,
}

module.exports = {
  process: (text) => ({ code: transpileModule(text, { compilerOptions }).outputText }),
}
